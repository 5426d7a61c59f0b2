import { describe, expect, it } from 'vitest';
import type { Interrupt, JsonObject } from '../../../../api/types/types.ts';
import { isStartHidden, showsNothing } from './startShown.ts';

const item = (data: JsonObject): Interrupt =>
  ({ kind: 'approval', request: { prompt: 'Pay?', data } }) as Interrupt;

describe('what a run started with', () => {
  it('is told beside an item that does not show it (C92)', () => {
    expect(isStartHidden(item({}), { invoice: 'K-17' })).toBe(true);
    expect(isStartHidden(item({ draft: 'Dear Nora' }), 'Where is it?')).toBe(true);
    expect(isStartHidden(item({ 'input.invoice': 'K-17' }), { invoice: 'K-17', sum: 3 })).toBe(
      true,
    );
  });

  it('is not told twice, nor where there is nothing', () => {
    expect(isStartHidden(item({ input: 'Where is it?' }), 'Where is it?')).toBe(false);
    expect(isStartHidden(item({ question: 'Where is it?' }), 'Where is it?')).toBe(false);
    expect(
      isStartHidden(item({ 'input.invoice': 'K-17', sum: 3 }), { invoice: 'K-17', sum: 3 }),
    ).toBe(false);
    for (const input of [undefined, null, '', {}])
      expect(isStartHidden(item({}), input)).toBe(false);
  });

  it('is open where the item shows nothing else', () => {
    expect(showsNothing(item({}))).toBe(true);
    expect(showsNothing(item({ draft: 'x' }))).toBe(false);
  });
});
