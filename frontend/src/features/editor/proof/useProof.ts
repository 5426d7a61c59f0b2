import { useMemo, useState } from 'react';
import type { Danger, Problem } from '../../../api/types/types.ts';
import type { CanvasScene } from '../../../canvas/cards/context.ts';
import type { Records } from '../../../graph/document/document.ts';
import { useEditor } from '../../../store/editor.ts';
import { useUntouched } from '../../../store/untouched.ts';
import { quieted } from './needs.ts';

function byNode<T extends { node?: string | null }>(items: readonly T[]): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const item of items)
    if (item.node) map.set(item.node, [...(map.get(item.node) ?? []), item]);
  return map;
}

/** Nodes and edges of the unguarded ways of these dangers. */
export function waysOf(dangers: readonly Danger[]): CanvasScene['openWays'] {
  const ways = dangers.flatMap((danger) => (danger.way ? [danger.way] : []));
  return {
    nodes: new Set(ways.flatMap((way) => way.nodes)),
    edges: new Set(ways.flatMap((way) => way.edges)),
  };
}

/** The first of the nodes that cannot be reached: nothing that cannot be reached leads to it, else the first of all. */
function headOf(problems: readonly Problem[], records: Records): Problem | undefined {
  const cut = new Set(problems.map((problem) => problem.node));
  const led = new Set(
    [...records.edges.values()].filter((edge) => cut.has(edge.source)).map((edge) => edge.target),
  );
  return problems.find((problem) => !led.has(problem.node ?? '')) ?? problems[0];
}

/** The problems that people are told of: an empty workflow is no mistake yet, and one cause is one problem. */
export function told(problems: readonly Problem[], records: Records): readonly Problem[] {
  if (records.nodes.size === 0)
    return problems.filter((problem) => problem.code !== 'EntryMissing');
  const cut = problems.filter((problem) => problem.code === 'UnreachableNode');
  const head = headOf(cut, records);
  if (!head || cut.length < 2) return problems;
  const label = records.nodes.get(head.node ?? '')?.label ?? head.node;
  const say = `${cut.length} nodes cannot be reached: draw a wire to ${label}.`;
  return problems.flatMap((problem) => {
    if (problem === head) return [{ ...problem, say }];
    return problem.code === 'UnreachableNode' ? [] : [problem];
  });
}

/** What `told` gives of the draft now. */
export function useTold(): readonly Problem[] {
  const problems = useEditor((state) => state.problems);
  const records = useEditor((state) => state.records);
  const untouched = useUntouched((state) => state.ids);
  return useMemo(
    () => told(quieted(problems, untouched, records), records),
    [problems, records, untouched],
  );
}

/** The order in which problems are listed and walked: worst first, else as the server gave them. */
const order = ['error', 'warning', 'hint'];
export const worstFirst = <T extends Problem>(problems: readonly T[]): T[] =>
  problems.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));

export interface Proof {
  problems: ReadonlyMap<string, Problem[]>;
  dangers: ReadonlyMap<string, Danger>;
  openWays: CanvasScene['openWays'];
  /** Every unguarded way is drawn. */
  all: boolean;
  setAll: (all: boolean) => void;
  /** Draw the way to one node for as long as it is selected; null draws none. */
  show: (node: string | null) => void;
}

/** What the canvas and the panel show of the proof, and which ways are drawn now. */
export function useProof(): Proof {
  const problems = useTold();
  const dangers = useEditor((state) => state.dangers);
  const [all, setAll] = useState(false);
  const [shown, show] = useState<string | null>(null);
  const chosen = useEditor((state) =>
    state.nodes.some((node) => node.selected && node.id === shown) ? shown : null,
  );
  const drawn = useMemo(
    () => (all ? dangers : dangers.filter((danger) => danger.node === chosen)),
    [all, dangers, chosen],
  );
  return {
    problems: useMemo(() => byNode(problems), [problems]),
    dangers: useMemo(() => new Map(dangers.map((danger) => [danger.node, danger])), [dangers]),
    openWays: useMemo(() => waysOf(drawn), [drawn]),
    all,
    setAll,
    show,
  };
}
