// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { GraphDoc } from '../../../api/types/types.ts';
import { withRecords } from '../../../graph/document/diff.ts';
import { type Records, toRecords } from '../../../graph/document/document.ts';
import { graph } from '../../../graph/document/testing.ts';
import { place } from '../../../graph/editing/operations.ts';
import { cardHeight, FOOT } from '../../../graph/layout/geometry.ts';
import { plainLane } from '../../../graph/layout/lanes/lane.ts';
import { crosses } from '../../../graph/layout/lanes/lanes.ts';
import { NODE_WIDTH } from '../../../graph/layout/layout.ts';
import { tidy } from '../../../graph/layout/tidy.ts';
import { type FlowNode, project } from '../../../store/flow.ts';
import { boxOf } from '../../overview/box.ts';
import { endsOf, lanesIn } from './lanesIn.ts';
import { LanesContext, useLane, useLanes } from './useLanes.ts';

const folder = resolve(import.meta.dirname, '../../../../../builder/library');
const files = ['templates', 'demos'].flatMap((name) =>
  readdirSync(resolve(folder, name))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${name}/${file}`),
);
const libraryGraph = (name: string) => {
  const body = parseAllDocuments(readFileSync(resolve(folder, name), 'utf8')).at(-1);
  return toRecords(body?.toJS() as GraphDoc);
};

/** The flow of a document as a browser measures it: each card as high as its ports need. */
function flowOf(records: Records) {
  const drawn = project(
    records,
    { nodes: [], edges: [] },
    { types: new Map(), showAllPills: true },
  );
  const measured = drawn.nodes.map((node): FlowNode =>
    node.type === 'card'
      ? { ...node, measured: { width: NODE_WIDTH, height: cardHeight(node.data.ports.length) } }
      : node,
  );
  return project(records, { ...drawn, nodes: measured }, { types: new Map(), showAllPills: true });
}

function tidied(records: Records) {
  const heights = new Map(
    flowOf(records).nodes.map((node) => [node.id, boxOf(node).height + FOOT]),
  );
  const sizeOf = (id: string) => ({ width: NODE_WIDTH, height: heights.get(id) ?? 0 });
  return flowOf(place(records, tidy(records, undefined, sizeOf)));
}

/** The wires that lie on a card which is not their end, as they are drawn. */
function hidden({ nodes, edges }: ReturnType<typeof flowOf>): string[] {
  const lanes = new Map(lanesIn(nodes, edges));
  const boxes = nodes
    .filter((node) => node.type === 'card')
    .map((node) => ({ id: node.id, ...boxOf(node) }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges
    .flatMap((edge) => endsOf(edge, byId))
    .filter((wire) => crosses(wire, lanes.get(wire.id) ?? plainLane(wire.from, wire.to), boxes))
    .map(({ id }) => id);
}

describe('no wire runs behind a card that it does not touch', () => {
  it.each(files)('%s, as it comes and tidied up', (name) => {
    const records = libraryGraph(name);

    expect(hidden(flowOf(records))).toEqual([]);
    expect(hidden(tidied(records))).toEqual([]);
  });

  it.each([
    [
      'a fork and join with wires that skip',
      ['s>a', 's>b', 's>j', 'a>j', 'b>j', 's>t', 'j>t', 'a>t'],
    ],
    [
      'ends from everywhere',
      ['__start__>a', 'a>b', 'a>__end__', 'b>c', 'b>d', 'b>__end__', 'c>e', 'd>e', 'e>__end__'],
    ],
    ['ways back', ['a>b', 'b>c', 'c>d', 'd>a', 'c>b', 'd>d']],
    ['a ladder', ['a>b', 'b>c', 'c>d', 'd>e', 'a>c', 'a>d', 'a>e', 'b>d', 'b>e', 'c>e']],
  ])('%s', (_, wires) => {
    expect(hidden(tidied(graph(...wires)))).toEqual([]);
  });
});

describe('while one works', () => {
  const drawn = flowOf(graph('a>b', 'b>c', 'a>c'));
  const looked = async () => {
    const hook = renderHook((props) => useLanes(props.nodes, props.edges), { initialProps: drawn });
    await waitFor(() => expect(hook.result.current.size).toBe(1));
    return hook;
  };

  it('is the same object again as long as nothing crosses anew', async () => {
    const { result, rerender } = await looked();
    const before = result.current;

    rerender({ ...drawn, nodes: [...drawn.nodes] });

    expect(result.current).toBe(before);
  });

  it('keeps the lanes while a card is dragged, and finds them again when it lies', async () => {
    const { result, rerender } = await looked();
    const away = (dragging: boolean) =>
      drawn.nodes.map((node): FlowNode =>
        node.id === 'b' ? { ...node, dragging, position: { x: 300, y: 900 } } : node,
      );

    rerender({ ...drawn, nodes: away(true) });
    expect(result.current.size).toBe(1);
    rerender({ ...drawn, nodes: away(false) });
    expect(result.current.size).toBe(0);
  });
});

it('a wire to a card that was moved past its lane runs as if it had none', () => {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(
      LanesContext,
      { value: new Map([['e', { out: 100, y: 50, into: 200 }]]) },
      children,
    );
  const lane = (x: number) =>
    renderHook(() => useLane('e', { x: 0, y: 0 }, { x, y: 0 }), { wrapper }).result.current;

  expect(lane(300)).toEqual({ out: 100, y: 50, into: 200 });
  expect(lane(150)).toEqual({ out: 75, y: 0, into: 75 });
});

it('two wires that skip the same card and end apart run apart', () => {
  const records = graph('a>b', 'b>c', 'c>d', 'a>d', '__start__>c');
  const { nodes, edges } = flowOf(records);

  const [one, other] = lanesIn(nodes, edges).map(([, lane]) => lane.y);

  expect(Math.abs((one ?? 0) - (other ?? 0))).toBeGreaterThan(8);
});

it('wires of several ports of a card do not run together', () => {
  const to = { yes: 'c', no: 'd', maybe: 'e' };
  const records = withRecords(
    graph('a>b', 'b>c', 'c>d', 'd>e'),
    Object.entries(to).map(([when, target]) => ({
      kind: 'edge' as const,
      id: when,
      value: { id: when, source: 'a', target, when },
    })),
  );
  const { nodes, edges } = flowOf(records);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ends = new Map(edges.flatMap((edge) => endsOf(edge, byId)).map((wire) => [wire.id, wire]));
  const upright = lanesIn(nodes, edges).map(([id, { out, y }]) => {
    const at = ends.get(id)?.from.y ?? 0;
    return { out, top: Math.min(at, y), bottom: Math.max(at, y) };
  });

  const together = upright.filter((one) =>
    upright.some(
      (other) =>
        other !== one &&
        Math.abs(other.out - one.out) < 8 &&
        other.top < one.bottom &&
        one.top < other.bottom,
    ),
  );

  expect(upright).toHaveLength(3);
  expect(together).toEqual([]);
});

it('leaves room between neighbours for what a run says at their feet', () => {
  const records = tidied(graph('a>b', 'a>c', 'b>d', 'c>d'));
  const [b, c] = ['b', 'c'].map((id) => records.nodes.find((node) => node.id === id)?.position.y);

  expect(Math.abs((b ?? 0) - (c ?? 0))).toBeGreaterThan(cardHeight(1) + FOOT + 24);
});
