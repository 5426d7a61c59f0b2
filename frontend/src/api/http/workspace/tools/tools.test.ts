import { describe, expect, test } from 'vitest';
import {
  definitionChanges,
  hashesOf,
  startsStill,
  type SourceTool,
  toolPath,
  toolSourcesQuery,
  type ToolSource,
  unaccepted,
} from './tools.ts';

const tool = (part: Partial<SourceTool>): SourceTool => ({
  name: 'git/log',
  source: 'git',
  description: 'Shows.',
  parameters: { type: 'object' },
  effect_class: 'read',
  hash: 'a',
  accepted: false,
  state: 'new',
  on: true,
  package: '',
  declared_effect: 'read',
  set_effect: '',
  timeout_s: null,
  before: null,
  decided_by: null,
  decided_at: null,
  graphs: [],
  agents: [],
  ...part,
});
const source = (tools: SourceTool[]): ToolSource => ({
  name: 'git',
  kind: 'program',
  where: 'x',
  trusted: false,
  state: 'ready',
  problem: null,
  own: false,
  checked_at: null,
  connection: null,
  asks_sign_in: false,
  error: '',
  tools,
});

describe('sources', () => {
  test('are looked at again while one of them starts', () => {
    const ask = toolSourcesQuery.refetchInterval as (query: unknown) => unknown;
    const listed = (state: ToolSource['state']) => ({
      results: [source([]), { ...source([]), state }],
      file: '',
      file_problem: null,
    });
    expect(startsStill(undefined)).toBe(false);
    expect(ask({ state: { data: listed('starting') } })).toBeGreaterThan(0);
    expect(ask({ state: { data: listed('failed') } })).toBe(false);
  });
});

describe('tools', () => {
  test('a slash in the name stays, what an address may not hold does not', () => {
    expect(toolPath('git/log', 'accept')).toBe('tools/git/log/accept/');
    expect(toolPath('git/a b?', 'withdraw')).toBe('tools/git/a%20b%3F/withdraw/');
  });
  test('all that is accepted at once is what is new or changed, by the hash that was shown', () => {
    const git = source([
      tool({}),
      tool({ name: 'git/a/b', hash: 'b', state: 'changed' }),
      tool({ name: 'git/c', accepted: true, state: 'accepted' }),
    ]);
    expect(hashesOf(git, unaccepted(git))).toEqual({ log: 'a', 'a/b': 'b' });
  });
  test('only what differs is compared', () => {
    const before = {
      name: 'log',
      description: 'Showed.',
      parameters: { type: 'object' },
      effect_class: 'unsafe' as const,
    };
    expect(definitionChanges(tool({ before })).map((change) => change.field)).toEqual([
      'Description',
      'Effect',
    ]);
    expect(definitionChanges(tool({}))).toEqual([]);
  });
});
