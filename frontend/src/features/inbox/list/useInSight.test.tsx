// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useInSight } from './useInSight.ts';

const ROW = 68;
let shrink: (height: number) => void = () => undefined;
const scrolled = vi.fn();

beforeEach(() => {
  scrolled.mockClear();
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(heard: () => void) {
        shrink = (height) => {
          sizeOf('ul', 0, height);
          heard();
        };
      }
      observe() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = scrolled;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Lay an element out, which jsdom does not. */
function sizeOf(selector: string, top: number, height: number): void {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`no ${selector}`);
  Object.defineProperty(element, 'clientHeight', { value: height, configurable: true });
  element.getBoundingClientRect = () => ({ top, bottom: top + height }) as DOMRect;
}

function List({ cursor }: { cursor: string | null }) {
  useInSight(cursor, true);
  return (
    <ul>
      <li>
        <a href="/inbox/i" data-item="i">
          Pay Nora?
        </a>
      </li>
    </ul>
  );
}

/** A list of 400 pixels with its open row at some height. */
function shown(top: number): void {
  const { rerender } = render(<List cursor={null} />);
  sizeOf('ul', 0, 400);
  sizeOf('a', top, ROW);
  rerender(<List cursor="i" />);
  expect(scrolled).toHaveBeenCalledTimes(1);
}

test('the open row stays in sight when a bar below takes some of the height of the list', () => {
  shown(400 - ROW);
  shrink(340);
  expect(scrolled).toHaveBeenCalledTimes(2);
});

test('a row that was scrolled away stays away, and a list that grows moves nothing', () => {
  shown(700);
  shrink(340);
  shrink(400);
  expect(scrolled).toHaveBeenCalledTimes(1);
});
