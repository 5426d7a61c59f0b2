// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { GraphDetail, Problem } from '../../api/types/types.ts';
import { nodeType } from '../../graph/document/testing.ts';
import { useEditor } from '../../store/editor.ts';
import { MemoryRouter } from 'react-router';
import { Cures } from './Cures.tsx';

const problem: Problem = {
  severity: 'error',
  code: 'UnreadableKey',
  message: 'no',
  path: 'nodes[0].config.prompt',
  node: 'a',
  fixes: [
    {
      label: 'Allow reading input',
      edits: [{ op: 'add', part: 'node', id: 'a', path: ['read_keys'], value: 'input' }],
    },
  ],
};
const load = (edit: boolean) =>
  useEditor.getState().load(
    {
      id: 'g1',
      name: 'G',
      stands: null,
      revision: 1,
      problems: [problem],
      can: { edit, publish: true, run: true },
      document: {
        graphwright: 1,
        id: 'g',
        nodes: [{ id: 'a', type: 'step', position: { x: 0, y: 0 } }],
        edges: [],
      },
    } as unknown as GraphDetail,
    new Map([['step', nodeType('step')]]),
  );
const keys = () => useEditor.getState().records.nodes.get('a')?.read_keys;
const show = () =>
  render(
    <MantineProvider>
      <Cures problem={problem} />
    </MantineProvider>,
  );

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
beforeEach(() => load(true));
afterEach(cleanup);

test('one click gives the read key, and one undo takes it back', () => {
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Allow reading input' }));

  expect(keys()).toEqual(['input']);
  expect(screen.queryByRole('button')).toBeNull();
  useEditor.getState().undo();
  expect(keys() ?? []).toEqual([]);
});

test('what no edit mends leads to the tool', () => {
  const off = {
    ...problem,
    fixes: [{ label: 'Open the tool', edits: [], tool: 'mail/send' }],
  };
  render(
    <MemoryRouter>
      <MantineProvider>
        <Cures problem={off} />
      </MantineProvider>
    </MemoryRouter>,
  );

  const way = screen.getByRole('link', { name: 'Open the tool' });

  expect(way.getAttribute('href')).toBe('/settings/tools#mail%2Fsend');
});

test('a model without a key leads to the models', () => {
  const lacking = {
    ...problem,
    fixes: [{ label: 'Open the models', edits: [], settings: 'models' as const }],
  };
  render(
    <MemoryRouter>
      <MantineProvider>
        <Cures problem={lacking} />
      </MantineProvider>
    </MemoryRouter>,
  );

  const way = screen.getByRole('link', { name: 'Open the models' });

  expect(way.getAttribute('href')).toBe('/settings/models');
});

test('who may not edit is offered nothing', () => {
  load(false);
  show();

  expect(screen.queryByRole('button')).toBeNull();
});
