import { expect, it } from 'vitest';
import { nodeType } from '../../graph/document/testing.ts';
import { elsewhere, searchTypes, titled } from './PaletteList.ts';

const type = (name: string, help: string, words: string[]) => ({
  ...nodeType(name),
  label: name,
  help,
  words,
});
const types = [
  type('Verifier', 'See if something holds.', ['check', 'if']),
  type('Router', 'Choose a way.', ['if', 'switch', 'branch']),
  type('Output', 'What a run gives.', ['end']),
  type('Supervisor', 'Sends work.', ['team']),
];
const found = (search: string) => searchTypes(types, search).map((each) => each.label);

it('finds a type by words that people have for it, the first words first', () => {
  expect(found('if')).toEqual(['Router', 'Verifier']);
  expect(found('switch')).toEqual(['Router']);
  expect(found('end')).toEqual(['Output', 'Supervisor']);
  expect(found('bran')).toEqual(['Router']);
  expect(found('output')).toEqual(['Output']);
  expect(found('nothing')).toEqual([]);
});

it('says where to go for what is no node, and adds none that only mentions the word', () => {
  for (const word of ['start', 'Begin', 'webhook', 'sched', 'trigger'])
    expect(elsewhere(word)).toContain('+ Trigger');
  for (const word of ['retry', 'catch', 'error', 'timeout'])
    expect(elsewhere(word)).toContain('“Reliability”');
  expect(elsewhere('database')).toContain('Settings, Tools');
  expect(elsewhere('variable')).toContain('“Gives”');
  for (const word of ['', 's', 'sta', 'agent', 'restart', 'no']) expect(elsewhere(word)).toBeNull();

  const started = [
    type('Evolution', 'Improve what you start with.', []),
    type('Tool', '', ['sql']),
  ];
  expect(searchTypes(started, 'start')).toEqual([]);
  expect(searchTypes(started, 'you')).toHaveLength(1);
  expect(searchTypes(started, 'sql')).toHaveLength(1);
});

it('what stands after a colon is the title of the new node', () => {
  expect(titled('agent: Extract')).toEqual({ kind: 'agent', title: 'Extract' });
  expect(titled('agent:')).toEqual({ kind: 'agent', title: undefined });
  expect(titled('agent')).toEqual({ kind: 'agent', title: undefined });
  expect(titled(`a: ${'x'.repeat(200)}`).title).toHaveLength(80);
});
