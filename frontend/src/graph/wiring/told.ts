import type { NodeDoc } from '../../api/types/types.ts';
import type { Change } from '../document/diff.ts';
import { type DraftEdge, END, type Records, START } from '../document/document.ts';
import { type Port, portOf, wireWords } from '../schema/ports.ts';

/** The ports of a node, for their words. */
export type PortsOf = (id: string) => readonly Port[];

/** The words of a node for people; of one that is gone as it was. */
export function nameOf(
  records: Records,
  id: string,
  gone: ReadonlyMap<string, NodeDoc> = new Map(),
): string {
  if (id === START) return 'Start';
  if (id === END) return 'End';
  const node = records.nodes.get(id) ?? gone.get(id);
  return node?.label || id;
}

/** What a wire waits for, in a word; empty where it says nothing of its own. */
export function guardOf(edge: DraftEdge, ports: readonly Port[]): string {
  if (edge.label || typeof edge.condition === 'string') return wireWords(edge);
  if (edge.trigger === 'agent') return 'the agent chooses';
  const port = portOf(edge);
  return ports.length > 1 ? (ports.find(({ id }) => id === port)?.label ?? '') : '';
}

/** A wire by its ends and what it waits for: `Classify, senior, to Tech check`. */
export function wireSaid(edge: DraftEdge, portsOf: PortsOf, name: (id: string) => string): string {
  const guard = guardOf(edge, portsOf(edge.source));
  return `${[name(edge.source), guard].filter(Boolean).join(', ')}, to ${name(edge.target)}`;
}

const some = (names: readonly string[]) =>
  names.length > 3 ? `${names.length} nodes` : names.join(', ');

/** What a gesture did, as it is said aloud; empty where only words, ids or places changed. `after` is the document then. */
export function toldOf(changes: readonly Change[], after: Records, portsOf: PortsOf): string {
  const of = (kind: Change['kind']) => changes.filter((change) => change.kind === kind);
  const gone = new Map(
    of('node').flatMap(({ id, before }) => (before ? [[id, before as NodeDoc] as const] : [])),
  );
  const name = (id: string) => nameOf(after, id, gone);
  const wire = (edge: DraftEdge) => wireSaid(edge, portsOf, name);
  const added = of('node').filter(({ before }) => before === null);
  const lost = of('node').filter(({ after: now }) => now === null);
  const drawn = of('edge').filter(({ before }) => before === null);
  const cut = of('edge').filter(({ after: now }) => now === null);
  const led = of('edge').filter(
    ({ before, after: now }) =>
      before && now && (before as DraftEdge).target !== (now as DraftEdge).target,
  );
  if (added.length > 0 && lost.length === 0) {
    const [edge] = drawn;
    const from = edge && added.some(({ id }) => id === (edge.after as DraftEdge).target);
    const tied =
      added.length === 1 && from ? `, wired from ${name((edge.after as DraftEdge).source)}` : '';
    return `Added ${some(added.map(({ id }) => name(id)))}${tied}`;
  }
  if (lost.length > 0 && added.length === 0) {
    const healed = [...led, ...drawn].map(({ after: now }) => `. Now ${wire(now as DraftEdge)}`);
    return `Deleted ${some(lost.map(({ id }) => name(id)))}${healed.slice(0, 1).join('')}`;
  }
  if (added.length > 0 && lost.length === added.length && drawn.length + cut.length === 0)
    return '';
  const [one] = drawn;
  if (one) return `Wired ${wire(one.after as DraftEdge)}`;
  const [moved] = led;
  if (moved) return `Now ${wire(moved.after as DraftEdge)}`;
  const [less] = cut;
  return less ? `Cut the wire of ${wire(less.before as DraftEdge)}` : '';
}
