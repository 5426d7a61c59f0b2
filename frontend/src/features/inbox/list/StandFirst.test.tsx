// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { untouched } from '../testing.ts';
import { StandFirst } from './StandFirst.tsx';

afterEach(cleanup);

const item = (outcome?: string) =>
  ({
    ...untouched,
    status: 'open',
    asked_back: outcome === undefined ? [] : [{ outcome }],
  }) as unknown as Interrupt;
const said = (ordering: string, ...rows: Interrupt[]) =>
  render(<StandFirst filter={{ state: 'open', ordering }} rows={rows} />).container.textContent;

test('what stands above the others is explained, in the order in which it does', () => {
  const words = 'First what a question brought back, then what ends first';
  expect(said('deadline', item('answered'), item())).toBe(words);
  expect(said('deadline', item('lapsed'), item())).toBe(words);
  expect(said('-amount', item('answered'), item())).toBe('');
  expect(said('deadline', item('withdrawn'), item())).toBe('');
  expect(said('deadline', item('answered'))).toBe('');
});
