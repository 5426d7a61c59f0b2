import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/http/runs/triggers.ts';
import { answersFor, mappingOf, toldOf } from './words.ts';

const delivery: Delivery = {
  id: 'd',
  event: '',
  cause: null,
  state: 'started',
  code: '',
  reason: '',
  key: 'evt_1',
  run: 'r',
  at: '2026-11-24T00:00:00.000Z',
  repeats: 0,
  differed: false,
  can_repeat: true,
  queued_behind: null,
};

describe('what came in', () => {
  it('says how it fared, why not, and how often it came', () => {
    expect(toldOf(delivery)).toBe('Started');
    expect(toldOf({ ...delivery, queued_behind: 12 })).toBe(
      'Started, its run is queued: 12 before it',
    );
    expect(toldOf({ ...delivery, repeats: 1 })).toBe('Started, came 1 more time');
    expect(toldOf({ ...delivery, repeats: 2, differed: true })).toBe(
      'Started, came 2 more times, with another content, which was left out',
    );
    expect(toldOf({ ...delivery, state: 'refused', reason: 'over 1 MiB' })).toBe(
      'Refused, over 1 MiB',
    );
  });
});

describe('the mapping', () => {
  it('leaves out what is not whole', () => {
    expect(
      mappingOf([
        [' order ', ' body.id '],
        ['', 'body.x'],
        ['y', ' '],
      ]),
    ).toEqual({ order: 'body.id' });
  });
});

describe('when a caller is answered', () => {
  it('offers what is set beside the usual times', () => {
    expect(answersFor(0).map(({ value }) => value)).toEqual(['0', '2', '5', '10', '25']);
    expect(answersFor(1)[1]).toEqual({
      value: '1',
      label: 'With the result, if it is there within 1 second',
    });
  });
});
