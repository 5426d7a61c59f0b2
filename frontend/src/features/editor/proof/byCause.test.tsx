// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Problem } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { loadDraft, show, stubBrowser } from '../../../store/testing.tsx';
import { byCause } from './byCause.ts';
import { ProblemsPanel } from './ProblemsPanel.tsx';

const add = (name: string) => ({
  op: 'set' as const,
  part: 'graph' as const,
  id: '',
  path: ['interface', 'inputs', 'properties', name],
  value: { type: 'string' },
});
const lacks = (node: string, name: string, more: Partial<Problem> = {}): Problem => ({
  severity: 'warning',
  code: 'UnknownReference',
  message: `The start does not ask for "${name}".`,
  path: 'nodes[0].config.prompt',
  node,
  fixes: [{ label: `Add start field ${name}`, edits: [add(name)] }],
  ...more,
});
const other: Problem = { severity: 'error', code: 'Code', message: 'Other.', path: '' };
const inputs = () => useEditor.getState().records.settings.interface?.inputs?.properties;

beforeEach(() => {
  stubBrowser();
  loadDraft();
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

it('one start field that is missing is one problem, as bad as the worst of its places', () => {
  const hint = lacks('a', 'cv', { severity: 'hint' });
  const causes = byCause([hint, other, lacks('b', 'cv'), lacks('c', 'cv')]);

  expect(causes.map(({ severity }) => severity)).toEqual(['warning', 'error']);
  expect(causes[0]?.places?.map(({ node }) => node)).toEqual(['a', 'b', 'c']);
  expect(causes[0]?.fixes).toEqual([{ label: 'Add start field cv', edits: [add('cv')] }]);
});

it('a cure of the text mends each of its places', () => {
  const renamed = (node: string) => ({
    label: 'Use name',
    edits: [{ op: 'set' as const, part: 'node' as const, id: node, path: ['x'], value: 'name' }],
  });
  const near = (node: string) =>
    lacks(node, 'nme', {
      fixes: [renamed(node), { label: 'Add start field nme', edits: [add('nme')] }],
    });

  const [cause] = byCause([near('a'), near('b')]);

  expect(cause?.fixes?.map(({ label, edits }) => [label, edits.length])).toEqual([
    ['Use name', 2],
    ['Add start field nme', 1],
  ]);
});

it('the list names the places, each leads there, and one press adds all of the fields', () => {
  const jump = vi.fn();
  useEditor.setState({ problems: [lacks('a', 'cv'), lacks('b', 'cv'), lacks('b', 'job')] });
  show(<ProblemsPanel onJump={jump} onClose={vi.fn()} />);

  const rows = screen.getAllByRole('button').filter((row) => 'row' in row.dataset);
  expect(rows.map((row) => row.textContent)).toEqual([
    'Start The start does not ask for "cv".',
    'B The start does not ask for "job".',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'B' }));
  expect(jump).toHaveBeenCalledWith(expect.objectContaining({ node: 'b' }));

  expect(screen.getByRole('button', { name: 'Add start field cv' })).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Add both start fields' }));
  expect(inputs()).toEqual({ cv: { type: 'string' }, job: { type: 'string' } });
});
