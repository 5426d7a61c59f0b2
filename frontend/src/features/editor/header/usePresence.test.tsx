// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PresencePerson } from '../../../api/live/realtime.ts';
import { colorOf, useOnlookers } from './usePresence.ts';

const person = (id: string, ...selection: string[]): PresencePerson => ({
  client: `tab-${id}`,
  user: { id, name: id.toUpperCase() },
  selection,
});

afterEach(cleanup);

test('a person has one colour, and not everybody the same', () => {
  const ids = Array.from({ length: 30 }, (_, index) => `person-${index}`);

  expect(ids.map(colorOf)).toEqual(ids.map(colorOf));
  expect(new Set(ids.map(colorOf)).size).toBeGreaterThan(3);
  expect(ids.map(colorOf).every((color) => /^#[0-9a-f]{6}$/.test(color))).toBe(true);
});

test('each node knows everybody who has it selected', () => {
  const { result } = renderHook(() =>
    useOnlookers([person('ann', 'a', 'b'), person('bob', 'b'), person('eve')]),
  );
  const names = (node: string) => result.current.get(node)?.map(({ name }) => name);

  expect([names('a'), names('b'), names('c')]).toEqual([['ANN'], ['ANN', 'BOB'], undefined]);
  expect(result.current.get('a')?.[0]?.color).toBe(colorOf('ann'));
});

test('knows one’s own second tab', () => {
  const { result } = renderHook(() =>
    useOnlookers([person('ann', 'a'), person('bob', 'a')], 'ann'),
  );

  expect(result.current.get('a')?.map(({ name }) => name)).toEqual(['You, in another tab', 'BOB']);
});
