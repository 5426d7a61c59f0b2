// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../store/testing.tsx';
import { ADDING, keepTyped } from '../../ui/keys/earlyKeys.ts';
import { LateQuick, loadQuick } from './LateQuick.tsx';

beforeAll(async () => void (await loadQuick()), 60_000);
beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const type = (keys: readonly string[]) => {
  for (const key of keys)
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
};

function open() {
  const onPick = vi.fn();
  const quick = { at: { x: 0, y: 0 }, place: { x: 0, y: 0 } };
  const types = [...useEditor.getState().types.values()];
  show(<LateQuick types={types} quick={quick} onPick={onPick} onClose={vi.fn()} />);
  return onPick;
}

test('what was typed before the box was there stands in it', () => {
  keepTyped(ADDING);
  type([...'step: One']);
  open();
  expect(screen.getByRole('combobox', { name: 'Add a node' })).toHaveValue('step: One');
});

test('Enter typed before the box was there adds what was typed', () => {
  keepTyped(ADDING);
  type([...'step: One', 'Enter']);
  const onPick = open();
  expect(onPick).toHaveBeenCalledOnce();
  expect(onPick.mock.calls[0]?.[1]).toMatchObject({ title: 'One' });
});
