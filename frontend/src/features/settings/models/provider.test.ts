import { describe, expect, it } from 'vitest';
import { headersOf, pricesOf, providerId } from './provider.ts';

describe('a model server as a person describes it', () => {
  it.each([
    ['My LLM box', 'my-llm-box'],
    ['  7 Seas!', 'seas'],
    ['Ünïcode', 'n-code'],
    ['---', ''],
    ['a'.repeat(99), 'a'.repeat(63)],
  ])('is called by its name: %s', (label, id) => {
    expect(providerId(label)).toBe(id);
  });

  it('has headers by line', () => {
    expect(headersOf('X-Team: blue\n\n api-version:2026:01 \nX-Empty')).toEqual({
      'X-Team': 'blue',
      'api-version': '2026:01',
      'X-Empty': '',
    });
  });

  it('has prices where any was given', () => {
    expect(
      pricesOf({ small: { input: '0.5', output: '' }, large: { input: '', output: '' } }),
    ).toEqual({ small: { input_per_million: '0.5', output_per_million: '0' } });
  });
});
