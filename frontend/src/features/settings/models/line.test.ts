import { expect, it } from 'vitest';
import type { ModelProvider } from '../../../api/types/types.ts';
import { placeOf, providerLine, providerState } from './line.ts';

const provider = {
  id: 'acme',
  source: 'own',
  models: ['a', 'b', 'c', 'd'],
  tested: { model: 'acme/a', at: '', first_token_ms: 210, total_ms: 900, error: '' },
} as unknown as ModelProvider;
const workflow = { kind: 'workflow', id: 'w', name: 'W' } as const;
const use = {
  id: 'acme',
  spent_usd: '12',
  calls: 40,
  unpriced_calls: 0,
  used_by: [workflow, workflow, workflow],
};

it('tells a provider in one line', () => {
  expect(providerLine(provider, use, true)).toBe(
    '4 models · first token 210 ms · $12.00 this month · 3 workflows',
  );
});

it('leaves out what is not known, and says what is wrong', () => {
  expect(providerLine({ ...provider, models: ['a'], tested: null }, undefined, true)).toBe(
    '1 model',
  );
  const failed = { model: 'acme/a', at: '', first_token_ms: null, total_ms: 9, error: 'No.' };
  const agent = { kind: 'agent', id: 'x', name: 'X' } as const;
  expect(
    providerLine(
      { ...provider, models: [], tested: failed },
      { ...use, unpriced_calls: 1, used_by: [agent, { kind: 'default', id: 'd', name: 'D' }] },
      true,
    ),
  ).toBe('No models known · $12.00 this month · 1 call without a price · 1 agent · default');
});

it('says of a server that is away neither how fast it was nor that it has no models', () => {
  const away = { ...provider, models: [], problem: 'no connection to 10.0.0.5' } as ModelProvider;
  expect(providerLine(away, use, true)).toBe('$12.00 this month · 3 workflows');
});

it('has one state: what went wrong comes before what is set', () => {
  const failed = { model: 'a', at: '', first_token_ms: null, total_ms: 9, error: 'No.' };
  const hosted = { ...provider, source: 'hosted', has_key: true } as ModelProvider;
  const state = (of: object) => providerState(of as ModelProvider).text;

  expect(state({ ...hosted, tested: failed })).toBe('last test failed');
  expect(state({ ...hosted, tested: null })).toBe('key set, not tested yet');
  expect(state(hosted)).toBe('key works');
  expect(state({ ...hosted, has_key: false, from_environment: true, tested: null })).toBe(
    'key of the environment, not tested yet',
  );
  expect(state({ ...hosted, has_key: false, tested: failed })).toBe('no key');
  expect(state({ ...provider, reachable: false, tested: failed })).toBe('does not answer');
  expect(state({ ...provider, reachable: true, tested: failed })).toBe('last test failed');
  expect(state({ ...provider, reachable: true })).toBe('answers');
});

it('leads to what uses a provider', () => {
  expect(placeOf(workflow)).toBe('/workflows/w');
  expect(placeOf({ kind: 'agent', id: 'x', name: 'X' })).toBe('/settings/agents');
});

it('asks only who may to set a key', () => {
  const hosted = { ...provider, source: 'hosted', models: [], tested: null } as ModelProvider;
  expect(providerLine(hosted, undefined, true)).toBe('Set a key to use its models');
  expect(providerLine(hosted, undefined, false)).toBe('An admin can set a key for its models');
});
