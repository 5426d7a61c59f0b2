// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubBrowser } from '../../store/testing.tsx';
import { usePalette } from './usePalette.ts';
import { useEditor } from '../../store/editor.ts';

const draw = (...ids: string[]) => {
  const { records } = useEditor.getState();
  const node = (id: string) => [id, { id }] as never;
  useEditor.setState({ records: { ...records, nodes: new Map(ids.map(node)) } });
};

beforeEach(() => {
  stubBrowser();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  draw();
});

test('it is a strip beside a drawing on a narrow page, and open on a wide or an empty one', () => {
  const { result, rerender } = renderHook(({ narrow }) => usePalette(narrow), {
    initialProps: { narrow: true },
  });
  expect(result.current.open).toBe(true);

  act(() => draw('a'));
  expect(result.current.open).toBe(false);
  rerender({ narrow: false });
  expect(result.current.open).toBe(true);
});

test('it stays as it was left, on the next page too', () => {
  draw('a');
  const first = renderHook(() => usePalette(false));
  act(() => first.result.current.toggle());

  expect(first.result.current.open).toBe(false);
  expect(renderHook(() => usePalette(false)).result.current.open).toBe(false);
  act(() => first.result.current.toggle());
  expect(renderHook(() => usePalette(true)).result.current.open).toBe(true);
});
