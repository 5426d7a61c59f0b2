/** What went into a node of a run, and along a wire, read from the run's view. */

import type { GraphDoc, RunState } from '../../../../api/types/types.ts';
import type { DraftEdge } from '../../../../graph/document/document.ts';
import { wireWords } from '../../../../graph/schema/ports.ts';
import type { ActivationView, RunView } from '../../../../run/fold/model.ts';
import type { Json, JsonObject } from '../../../../run/values/json.ts';

/** A value with the name that people read. */
export interface Value {
  name: string;
  value: Json;
}

const ALL = '*';

/** What came along the wires of an activation, and what its node's read keys let it read when it began. */
export function readBy(
  document: GraphDoc,
  view: RunView,
  activation: ActivationView,
  state: RunState | undefined,
): Value[] {
  const node = document.nodes.find(({ id }) => id === activation.node);
  if (!node) return [];
  const own = node.read_keys ?? document.defaults?.read_keys ?? [];
  const keys = new Set(['previous', ...own]);
  return [...keys].flatMap((key) => valuesAt(key, document, view, activation, state));
}

function valuesAt(
  key: string,
  document: GraphDoc,
  view: RunView,
  activation: ActivationView,
  state: RunState | undefined,
): Value[] {
  const named = (id: string) => document.nodes.find((node) => node.id === id)?.label || id;
  const memory: JsonObject = state?.memory ?? {};
  const outputs: JsonObject = state?.outputs ?? {};
  const value = (name: string, found: Json | undefined) =>
    found === undefined ? [] : [{ name, value: found }];
  const [first = '', ...rest] = key.split('.');
  if (key === ALL) return Object.entries(memory).map(([name, each]) => ({ name, value: each }));
  if (first === 'input') return value('Start', at(view.input, rest));
  if (first === 'previous') return before(document, view, activation, outputs, named);
  if (first === 'outputs') {
    const [id] = rest;
    if (id !== undefined) return value(`Answer of ${named(id)}`, outputs[id]);
    return Object.entries(outputs).map(([each, found]) => ({
      name: `Answer of ${named(each)}`,
      value: found,
    }));
  }
  return value(key, at(memory[first], rest));
}

/** The part of a value that a path of names leads to. */
function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && !Array.isArray(inside)
        ? inside[name]
        : undefined,
    value,
  );
}

/** The answers of the nodes from which a taken wire leads here. */
function before(
  document: GraphDoc,
  view: RunView,
  activation: ActivationView,
  outputs: JsonObject,
  named: (id: string) => string,
): Value[] {
  return document.edges.flatMap(({ source, target }, index) => {
    const found = outputs[source];
    const taken = (view.takenEdges[index] ?? 0) > 0;
    return target === activation.node && taken && found !== undefined
      ? [{ name: `From ${named(source)}`, value: found }]
      : [];
  });
}

/** Where a node that could go several ways went on to, and what that wire waits for. */
export function waysTaken(
  document: GraphDoc,
  view: RunView,
  node: string,
): { target: string; words: string }[] {
  const leaving = document.edges.filter(({ source }) => source === node);
  if (leaving.length < 2) return [];
  return document.edges.flatMap((edge, index) =>
    edge.source === node && (view.takenEdges[index] ?? 0) > 0
      ? [{ target: edge.target, words: wireWords(edge) }]
      : [],
  );
}

/** How often a wire of the draft was taken in a run, and what passed last; null where the run had no such wire. */
export function passedAlong(
  document: GraphDoc,
  view: RunView,
  edge: DraftEdge,
): { times: number; value: Json | undefined } | null {
  const index = indexInRun(document, edge);
  if (index < 0) return null;
  if (edge.source === '__start__')
    return { times: view.nodes[edge.target] ? 1 : 0, value: view.input };
  const latest = view.nodes[edge.source]?.latest;
  return {
    times: view.takenEdges[index] ?? 0,
    value: latest === undefined ? undefined : view.activations[latest]?.output,
  };
}

/** The place of a wire of the draft among the edges of a run's document; -1 where it led elsewhere or was not there. */
export const indexInRun = (
  document: GraphDoc,
  edge: { id: string; source: string; target: string },
): number =>
  document.edges.findIndex(
    ({ id, source, target }) => id === edge.id && source === edge.source && target === edge.target,
  );
