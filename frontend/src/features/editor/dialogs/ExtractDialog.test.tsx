// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GraphDoc, NodeDoc } from '../../../api/types/types.ts';
import { nodeType } from '../../../graph/document/testing.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import {
  loadDraft,
  Refused,
  saved,
  serve,
  show,
  stubBrowser,
  twoNodes,
} from '../../../store/testing.tsx';
import { ExtractDialog } from './ExtractDialog.tsx';

const [first, second] = twoNodes as [NodeDoc, NodeDoc];
const third: NodeDoc = { id: 'c', type: 'step', label: 'C', position: { x: 608, y: 0 } };
const bare = nodeType('subgraph', { subgraph_id: { type: 'string', 'x-widget': 'graph' } });
const runner = { ...bare, config_schema: { ...bare.config_schema, required: ['subgraph_id'] } };
const made = (body: unknown) => ({
  id: 'g2',
  revision: 1,
  slug: (body as { document: GraphDoc }).document.id,
});
const answers = {
  'PATCH graphs/g1/draft/': saved(2),
  'POST graphs/': made,
  'POST graphs/g2/publish/': {},
};
const name = (value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'Name of the new workflow' }), {
    target: { value },
  });
const extract = () => screen.getByRole('button', { name: 'Extract' });

beforeEach(() => {
  stubBrowser();
  loadDraft({
    nodes: [{ ...first, write_keys: ['topic'] }, { ...second, read_keys: ['topic'] }, third],
    edges: [
      { id: 'in', source: '__start__', target: 'a' },
      { id: 'ab', source: 'a', target: 'b' },
      { id: 'bc', source: 'b', target: 'c' },
    ],
  });
  const types = new Map([...useEditor.getState().types, ['subgraph', runner]]);
  useEditor.setState({ types });
  useEditor.getState().select(['b']);
});
afterEach(() => {
  cleanup();
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

test('the part becomes a published workflow, and one node that runs it takes its place', async () => {
  const calls = serve(answers);
  const close = vi.fn();
  show(<ExtractDialog onClose={close} />);
  expect(screen.getByText(/1 node moves there.*go in: topic/)).toBeInTheDocument();
  expect(extract()).toBeDisabled();
  name('Look it up!');
  fireEvent.click(extract());
  await waitFor(() => expect(close).toHaveBeenCalledOnce());

  expect(calls[0]?.body).toMatchObject({
    document: { id: 'look-it-up', name: 'Look it up!', nodes: [{ id: 'b' }] },
  });
  expect(calls[1]).toMatchObject({ path: 'graphs/g2/publish/', body: { revision: 1 } });
  const { nodes, edges } = useEditor.getState().records;
  const [added = ''] = selectedIds();
  expect([...nodes.keys()].toSorted()).toEqual(['a', added, 'c'].toSorted());
  expect(nodes.get(added)).toMatchObject({
    type: 'subgraph',
    config: { subgraph_id: 'look-it-up' },
  });
  expect([...edges.values()].map((edge) => [edge.source, edge.target])).toEqual(
    expect.arrayContaining([
      ['a', added],
      [added, 'c'],
    ]),
  );
});

test('nothing is taken out where the workflow cannot be made', async () => {
  const place = { severity: 'error', code: 'X', path: 'nodes[0].config.policy' };
  const problem = { ...place, message: '"policy" names nobody.', say: 'Nobody is asked.' };
  serve({
    ...answers,
    'POST graphs/g2/publish/': new Refused(422, { detail: 'It has errors.', problems: [problem] }),
  });
  show(<ExtractDialog onClose={vi.fn()} />);
  name('Part');
  fireEvent.click(extract());

  expect(await screen.findByRole('alert')).toHaveTextContent('It has errors. Nobody is asked.');
  expect([...useEditor.getState().records.nodes.keys()]).toEqual(['a', 'b', 'c']);
});

test('what cannot be one part says why', () => {
  useEditor.getState().select([]);
  show(<ExtractDialog onClose={vi.fn()} />);

  expect(screen.getByText('Not these nodes')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Extract' })).toBeNull();
});
