import { expect, it } from 'vitest';
import type { JsonObject } from '../../api/types/types.ts';
import { nodeType } from '../document/testing.ts';
import { summaryOf } from './summary.ts';

const type = nodeType('mixed', {
  agent: { type: 'string', 'x-widget': 'agent' },
  tools: { type: 'array', items: { type: 'string' }, 'x-widget': 'tool' },
  wait: { type: 'integer', 'x-widget': 'duration' },
  title: { type: 'string' },
  prompt: { type: 'string', 'x-widget': 'prompt' },
  handler: { type: 'string', 'x-widget': 'handler' },
});
const said = (config: JsonObject) => summaryOf(type, { id: 'n', type: 'mixed', config });

it('names what tells most, by its name where that is known', () => {
  expect(said({ agent: 'a1', wait: 5000, title: 'x' })).toBe('a1');
  const names = (widget: string, id: string) =>
    widget === 'agent' && id === 'a1' ? 'Ann' : undefined;
  expect(summaryOf(type, { id: 'n', type: 'mixed', config: { agent: 'a1' } }, names)).toBe('Ann');
});

it('says of an agent without a name what it is asked, of others who or what they are', () => {
  const asked = { agent: 'a1', prompt: 'Sort {{ input.cv }}.' };
  expect(said(asked)).toBe('Sort ‹cv›.');
  expect(said({ ...asked, prompt: '' })).toBe('a1');
  expect(said({ handler: 'go', prompt: 'Sort.' })).toBe('go');
  expect(summaryOf(type, { id: 'n', type: 'mixed', config: asked }, () => 'Ann')).toBe('Ann');
});

it('lists what there are several of, each once', () => {
  expect(said({ tools: ['mail', 'clock', 'mail'] })).toBe('mail, clock');
});

it.each([
  [500, '500 ms'],
  [90_000, '1 min 30 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
  [172_800_000, '2 d'],
])('says %i ms as %s', (wait, words) => {
  expect(said({ wait })).toBe(words);
});

it('shows what is put in by its last name', () => {
  expect(said({ title: 'Invite {{ input.name }} as {{memory.level}}: {{ now() }}' })).toBe(
    'Invite ‹name› as ‹level›: ‹…›',
  );
});

it('falls back on a text, then on nothing; a node of an unknown type says its type', () => {
  expect(said({ title: 'two\n lines' })).toBe('two lines');
  expect(said({})).toBe('');
  expect(summaryOf(undefined, { id: 'n', type: 'gone' })).toBe('gone');
});

it('says of an approval what it asks, not what makes it risky', () => {
  const approval = nodeType('approval', {
    prompt_message: { type: 'string', 'x-widget': 'prompt' },
    risk: { type: 'string', 'x-widget': 'expression' },
  });
  const config = {
    prompt_message: 'Pay {{ input.sum }}?',
    risk: 'memory.amount > 1000.0 ? 9.0 : 1.0',
  };
  expect(summaryOf(approval, { id: 'n', type: 'approval', config })).toBe('Pay ‹sum›?');
});
