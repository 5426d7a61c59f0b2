/** Two runs side by side: what each node did in either, and whether that differs. */

import { standingOf } from '../ended/rejected.ts';
import type { GraphDoc, Json } from '../../api/types/types.ts';
import { sameJson } from '../values/json.ts';
import type { RunView } from '../fold/model.ts';

export interface NodeSide {
  status: string | null;
  visits: number;
  usd: string;
  tokens: number;
  output: Json | undefined;
}
export interface NodePair {
  node: string;
  label: string;
  a: NodeSide;
  b: NodeSide;
  differs: boolean;
}

function sideOf(view: RunView, node: string): NodeSide {
  const found = view.nodes[node];
  const latest = found ? view.activations[found.latest] : undefined;
  return {
    status: found ? standingOf({ status: found.status, error: latest?.error ?? null }) : null,
    visits: found?.visits ?? 0,
    usd: found?.spend.usd ?? '0',
    tokens: found?.spend.tokens ?? 0,
    output: latest?.output,
  };
}

/** Every node that either run reached, in the order of the first document, then of the second. */
export function comparedNodes(
  a: { view: RunView; document: GraphDoc },
  b: { view: RunView; document: GraphDoc },
): NodePair[] {
  const labels = new Map(
    [...b.document.nodes, ...a.document.nodes].map((node) => [node.id, node.label || node.id]),
  );
  const ids = [...new Set([...a.document.nodes, ...b.document.nodes].map((node) => node.id))];
  return ids.flatMap((node) => {
    const [left, right] = [sideOf(a.view, node), sideOf(b.view, node)];
    if (left.status === null && right.status === null) return [];
    const differs =
      left.status !== right.status ||
      left.visits !== right.visits ||
      !sameJson(left.output, right.output);
    return [{ node, label: labels.get(node) ?? node, a: left, b: right, differs }];
  });
}

/** The activations that completed or failed, in that order: the path of a run. */
export function pathOf(view: RunView): string[] {
  return Object.values(view.activations)
    .filter(
      (activation) =>
        activation.parent === null &&
        activation.endedAt !== null &&
        activation.status !== 'skipped',
    )
    .toSorted((one, other) => one.lastSeq - other.lastSeq)
    .map((activation) => activation.key);
}
