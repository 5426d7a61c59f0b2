// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NodeDoc } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft, show, stubBrowser, twoNodes } from '../../../store/testing.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';

const [first, second] = twoNodes as [NodeDoc, NodeDoc];
const long = `${'x'.repeat(60)} price ${'y'.repeat(60)}`;
const write = (label: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
const nodes = () => [...useEditor.getState().records.nodes.values()];

beforeEach(() => {
  stubBrowser();
  loadDraft({
    nodes: [
      { ...first, config: { prompt: 'The Price is right' } },
      { ...second, label: 'Price list', config: { prompt: long } },
    ],
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('every place is listed with the words around it, whatever the case', () => {
  show(<ReplaceDialog onClose={vi.fn()} />);
  expect(screen.queryByRole('status')).toBeNull();

  write('Find', 'PRICE');

  expect(screen.getByRole('status')).toHaveTextContent('In 3 places');
  expect(screen.getAllByText('Price', { selector: 'mark' })).toHaveLength(2);
  const cut = screen.getByText('price', { selector: 'mark' }).parentElement;
  expect(cut?.textContent).toMatch(/^…x{39} price y{39}…$/);
});

test('all of them are replaced in one step that undo takes back', () => {
  const close = vi.fn();
  show(<ReplaceDialog onClose={close} />);
  write('Find', 'price');
  write('Replace with', 'cost');
  fireEvent.click(screen.getByRole('button', { name: 'Replace all' }));

  expect(nodes().map((node) => node.label)).toEqual(['A', 'cost list']);
  expect(nodes()[0]?.config).toEqual({ prompt: 'The cost is right' });
  expect(close).toHaveBeenCalledOnce();
  useEditor.getState().undo();
  expect(nodes()[0]?.config).toEqual({ prompt: 'The Price is right' });
});

test('what is nowhere cannot be replaced', () => {
  show(<ReplaceDialog onClose={vi.fn()} />);
  write('Find', 'nowhere');

  expect(screen.getByRole('status')).toHaveTextContent('Nowhere in this draft');
  expect(screen.getByRole('button', { name: 'Replace all' })).toBeDisabled();
});
