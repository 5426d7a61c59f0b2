// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interrupt } from '../../../../api/types/types.ts';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { QuestionBody } from '../bodies.tsx';
import type { DecisionControl } from '../useDecision.ts';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const options = Array.from({ length: 10 }, (_, at) => ({ id: `o${at}`, label: `Way ${at}` }));
const item = {
  kind: 'choice',
  request: { question: 'Which way?', options },
} as unknown as Interrupt;
const control = { item, draft: { picked: [] }, problems: {}, change: vi.fn() };
const keysOf = (hints: boolean) => {
  const { container } = show(
    <QuestionBody control={control as unknown as DecisionControl} readOnly={false} hints={hints} />,
  );
  return [...container.querySelectorAll('kbd')].map((key) => key.textContent);
};

test('the number that chooses an option stands beside it, where keys work', () => {
  expect(keysOf(true)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(keysOf(false)).toEqual([]);
});
