import { expect, it } from 'vitest';
import type { NodeDoc } from '../../api/types/types.ts';
import { type Change, diff } from '../document/diff.ts';
import { type Records, toRecords } from '../document/document.ts';
import { withoutIdleGrants } from './idleGrants.ts';

const draft = (prompt: string, read_keys?: string[], more: object = {}): Records =>
  toRecords({
    graphwright: 1,
    id: 'g',
    nodes: [
      { id: 'a', type: 'agent', ...(read_keys ? { read_keys } : {}), config: { prompt }, ...more },
    ],
    edges: [],
    defaults: { read_keys: ['previous'] },
  } as never);
const bare = draft('Hi', ['input']);
const named = draft('Hi {{ memory.level }}', ['input', 'level']);
const keys = (records: Records) => (records.nodes.get('a') as NodeDoc).read_keys;
const left = (before: Records, now: Records, history: Change[][]) =>
  keys(withoutIdleGrants('a', { before, now, history }));
const byName = [diff(bare, named)];

it('goes with the last mention where a mention brought it', () => {
  expect(left(named, draft('Hi', ['input', 'level']), byName)).toEqual(['input']);
  expect(left(bare, draft('Hi', ['input', 'level']), [])).toEqual(['input']);
});

it('stays as long as anything says its name', () => {
  const also = { memory_query: { text: 'About {{ memory.level }}' } };
  expect(left(named, draft('Hi', ['input', 'level'], also), byName)).toContain('level');
  expect(left(named, draft('The level', ['input', 'level']), byName)).toContain('level');
  const given = { write_keys: ['level'] };
  expect(left(named, draft('Hi', ['input', 'level'], given), byName)).toContain('level');
});

it('stays where it was set by hand, before or after', () => {
  const access = draft('Hi', ['input', 'level']);
  const byHand = [diff(bare, access), diff(access, named)];
  expect(left(named, access, byHand)).toContain('level');

  const without = draft('Hi {{ memory.level }}', ['input']);
  const again = [...byName, diff(named, without), diff(without, named)];
  expect(left(named, access, again)).toContain('level');
});

it('stays where nobody knows how it came, and where this edit took no mention away', () => {
  const unnamed = draft('Hi', ['input', 'level']);
  expect(left(named, unnamed, [])).toContain('level');
  expect(left(unnamed, draft('Hello', ['input', 'level']), byName)).toContain('level');
  expect(left(draft('Hi'), draft('Hello'), [])).toBeUndefined();
  expect(left(draft('Hi {{ previous }}'), draft('Hi', ['previous']), [])).toEqual(['previous']);
});

it('knows the names of start fields and answers by their last part', () => {
  const start = draft("{{ input.cv }} {{ outputs['x-1'] }}", ['input.cv', 'outputs.x-1']);
  const history = [diff(draft('', []), start)];
  const now = (prompt: string) => draft(prompt, ['input.cv', 'outputs.x-1']);
  expect(left(start, now("{{ outputs['x-1'] }}"), history)).toEqual(['outputs.x-1']);
  expect(left(start, now('cvs {{ input.cv }}'), history)).toEqual(['input.cv']);
});
