// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { loadDraft } from '../../../store/testing.tsx';
import { copyClipboard, pasteClipboard } from './clipboard.ts';
import { chooseFile } from './exchange.ts';
import { loadClipboard, useClipboard } from './clipboardEvents.ts';

const corner = { x: 80, y: 400 };
const nodes = () => [...useEditor.getState().records.nodes.keys()];
let clipboard = '';

/** A clipboard event as a browser sends it; jsdom has no `ClipboardEvent` with data. */
function send(type: 'copy' | 'cut' | 'paste'): boolean {
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.assign(event, {
    clipboardData: {
      getData: () => clipboard,
      setData: (_: string, text: string) => (clipboard = text),
    },
  });
  document.dispatchEvent(event);
  return event.defaultPrevented;
}

function typeIn(tag: 'input' | 'textarea') {
  const field = document.createElement(tag);
  document.body.append(field);
  field.focus();
  return field;
}

beforeEach(async () => {
  await loadClipboard();
  clipboard = 'words';
  loadDraft();
  renderHook(() => useClipboard(() => corner));
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

test('what was copied is pasted as new nodes at the corner, selected', () => {
  useEditor.getState().select(['b']);
  expect(send('copy')).toBe(true);
  expect(nodes()).toEqual(['a', 'b']);

  expect(send('paste')).toBe(true);
  expect(nodes()).toEqual(['a', 'b', 'b_2']);
  expect(selectedIds()).toEqual(['b_2']);
  expect(useEditor.getState().records.nodes.get('b_2')?.position).toEqual(corner);
});

test('a cut takes away what it copied, in one step', () => {
  useEditor.getState().select(['b']);
  expect(send('cut')).toBe(true);
  expect(nodes()).toEqual(['a']);

  useEditor.getState().undo();
  expect(nodes()).toEqual(['a', 'b']);
});

test('with Shift the wires that came in come along', () => {
  useEditor.getState().select(['b']);
  send('copy');
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'v', shiftKey: true }));
  send('paste');
  const sources = [...useEditor.getState().records.edges.values()]
    .filter((edge) => edge.target === 'b_2')
    .map((edge) => edge.source);

  expect(sources).toEqual(['a']);
});

test.each(['input', 'textarea'] as const)(
  'in a field (%s) the browser copies and pastes',
  (tag) => {
    useEditor.getState().select(['b']);
    typeIn(tag);

    expect([send('copy'), send('cut'), send('paste')]).toEqual([false, false, false]);
    expect([clipboard, nodes()]).toEqual(['words', ['a', 'b']]);
  },
);

test('text that is no clip, and an empty selection, are left to the browser', () => {
  expect([send('copy'), send('paste')]).toEqual([false, false]);
  expect(clipboard).toBe('words');
});

test('who may not edit copies and does not paste', () => {
  loadDraft({}, { can: { edit: false, publish: false, run: false } });
  useEditor.getState().select(['b']);

  expect([send('copy'), send('paste')]).toEqual([true, false]);
  expect(nodes()).toEqual(['a', 'b']);
});

test('nothing is heard once the editor is left', () => {
  cleanup();
  useEditor.getState().select(['b']);

  expect(send('copy')).toBe(false);
});

test('a menu copies, cuts and pastes without a key of the browser', async () => {
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: (text: string) => Promise.resolve((clipboard = text)),
      readText: () => Promise.resolve(clipboard),
    },
  });
  useEditor.getState().select(['b']);
  await copyClipboard(true);
  expect(nodes()).toEqual(['a']);

  await pasteClipboard(corner, false);
  expect(nodes()).toHaveLength(2);
});

test('a file that is chosen is read, and none is no text', async () => {
  const made: HTMLInputElement[] = [];
  const create = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation((tag: string) => {
    const element = create(tag);
    if (element instanceof HTMLInputElement) made.push(element);
    return element;
  });
  const choice = chooseFile();
  const [input] = made as [HTMLInputElement];
  Object.defineProperty(input, 'files', { value: [{ text: () => Promise.resolve('nodes: []') }] });
  input.dispatchEvent(new Event('change'));
  const none = chooseFile();
  made[1]?.dispatchEvent(new Event('cancel'));

  expect([await choice, await none]).toEqual(['nodes: []', null]);
  expect(input.accept).toContain('.yaml');
});
