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

test('nobody’s frame looks like that of a card that failed, waits or is done', () => {
  const shown = Array.from({ length: 60 }, (_, index) => colorOf(`person-${index}`));
  const parts = shown.map((color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));
  const isSignal = ([red = 0, green = 0, blue = 0]: number[]) =>
    Math.max(red, green) > 2 * blue || (red > 180 && green < 80);

  expect(parts.filter(isSignal)).toEqual([]);
});

test('knows one’s own second tab, in a quiet grey', () => {
  const { result } = renderHook(() =>
    useOnlookers([person('ann', 'a'), person('bob', 'a')], 'ann'),
  );

  expect(result.current.get('a')?.map(({ name }) => name)).toEqual(['You, in another tab', 'BOB']);
  expect(result.current.get('a')?.[0]?.color).toBe('#5c616d');
});
