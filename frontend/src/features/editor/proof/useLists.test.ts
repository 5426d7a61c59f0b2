// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeComments, useCommenting } from '../../comments/commenting.ts';
import { useLists } from './useLists.ts';

beforeEach(() => closeComments());

it('shows one list at a time, and puts the open one away', () => {
  const closed = vi.fn();
  const { result } = renderHook(() => useLists(closed));

  act(() => result.current.toggleTalk());
  act(() => result.current.toggleProblems());
  expect([result.current.problems, useCommenting.getState().panel]).toEqual([true, false]);

  act(() => expect(result.current.closeTop()).toBe(true));
  expect([result.current.any, closed.mock.calls.length]).toEqual([false, 1]);
  expect(result.current.closeTop()).toBe(false);

  act(() => result.current.toggleTalk());
  act(() => expect(result.current.closeTop()).toBe(true));
  expect(useCommenting.getState().panel).toBe(false);
});
