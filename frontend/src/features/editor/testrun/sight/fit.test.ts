// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import { roomBeside } from '../../actions/useReveal.ts';
import { freeRoom, READABLE } from './fit.ts';

/** A canvas with panels over it, each at `left, top, width, height`. */
function stageWith(
  [width, height]: [number, number],
  panels: Record<string, [number, number, number, number]>,
): HTMLElement {
  const stage = document.createElement('div');
  stage.dataset['outline'] = 'false';
  Object.defineProperties(stage, {
    clientWidth: { value: width },
    clientHeight: { value: height },
  });
  stage.getBoundingClientRect = () => new DOMRect(50, 48, width, height);
  for (const [region, [x, y, wide, high]] of Object.entries(panels)) {
    const panel = stage.appendChild(document.createElement('div'));
    panel.dataset['region'] = region;
    panel.getBoundingClientRect = () => new DOMRect(50 + x, 48 + y, wide, high);
  }
  return document.body.appendChild(stage);
}

const canvas: [number, number, number, number] = [0, 0, 1230, 670];
const inspector: [number, number, number, number] = [898, 12, 320, 646];

afterEach(() => document.body.replaceChildren());

it('what is found lies beside the inspector that opens for it, and on a phone above it', () => {
  const stage = stageWith([1230, 670], { canvas, palette: [12, 12, 46, 628] });
  expect(roomBeside(false, stage)).toMatchObject({ left: '86px', right: '332px' });
  expect(roomBeside(true, stage)).toMatchObject({ right: '684px' });

  const phone = stageWith([390, 700], { palette: [0, 0, 0, 0] });
  expect(roomBeside(false, phone)).toMatchObject({ left: '40px', right: '48px', bottom: '406px' });
});

describe('everything is fitted into what is free', () => {
  it('beside a folded palette and the inspector', () => {
    stageWith([1230, 670], { canvas, palette: [12, 12, 46, 628], inspector });

    expect(freeRoom().padding).toEqual({
      left: '86px',
      right: '360px',
      top: '48px',
      bottom: '112px',
    });
  });

  it('beside two panels on the right, and none on the left', () => {
    stageWith([1230, 670], { canvas, inspector, problems: [546, 12, 340, 300] });

    expect(freeRoom().padding).toMatchObject({ left: '40px', right: '712px' });
  });

  it('above the sheet of a phone, and what is not shown takes no room', () => {
    stageWith([390, 700], { palette: [0, 0, 0, 0], inspector: [0, 420, 390, 280] });

    expect(freeRoom().padding).toMatchObject({ left: '40px', right: '48px', bottom: '308px' });
  });

  it('over the panels where they leave next to nothing', () => {
    stageWith([600, 400], { palette: [12, 12, 208, 376], inspector: [268, 12, 320, 376] });

    expect(freeRoom().padding).toEqual({
      left: '40px',
      right: '48px',
      top: '24px',
      bottom: '72px',
    });
  });

  it('goes so far unasked that a graph of four rows of cards is whole above the panel', () => {
    stageWith([1228, 372], {});
    const { top, bottom } = freeRoom().padding;

    expect(620 * READABLE).toBeLessThan(372 - parseInt(top) - parseInt(bottom));
  });
});
