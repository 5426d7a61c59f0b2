import type { EdgeDoc, EdgeOn, HandleKind, NodeTypeInfo } from '../../api/types/types.ts';
import { END, START, type DraftEdge, type Records } from '../document/document.ts';

/** A place on a node card from which edges leave. */
export interface Port {
  id: string;
  label: string;
  kind: HandleKind;
  /** The token that edges of this port wait for; absent: no token. */
  when?: string;
}

export const MAIN = 'completed';
/** The port from which a wire gets a token of its own. */
export const NEW_BRANCH = 'dynamic';
const kindLabels: Record<HandleKind, string> = {
  completed: 'Completed',
  failed: 'Failed',
  rejected: 'Rejected',
  timed_out: 'Timed out',
  dynamic: 'Branch',
};

/** The ports that a type declares: of tokens (`pass`, `fail`), of a token that the author names, of the groups of edges. */
function declared(type: NodeTypeInfo | undefined): Port[] {
  return (type?.handles ?? []).map(({ label, kind, when }) => {
    if (when) return { id: `when:${when}`, label, kind, when };
    if (kind === 'dynamic') return { id: NEW_BRANCH, label, kind };
    return { id: kind, label, kind };
  });
}

/** The port that an edge leaves from. */
export function portOf(edge: EdgeDoc): string {
  const on = edge.on ?? 'completed';
  if (on !== 'completed') return on;
  return edge.when ? `when:${edge.when}` : MAIN;
}

/** All ports of a node: the declared ones, then those that its edges add (tokens, failure and the like). */
export function portsOf(type: NodeTypeInfo | undefined, out: readonly EdgeDoc[]): Port[] {
  const ports = declared(type);
  const branches = ports.findIndex((port) => port.id === NEW_BRANCH);
  const has = (id: string) => ports.some((port) => port.id === id);
  for (const edge of out) {
    const id = portOf(edge);
    if (has(id)) continue;
    if (id.startsWith('when:'))
      ports.splice(
        branches < 0 ? ports.length : ports.findIndex((port) => port.id === NEW_BRANCH),
        0,
        { id, label: edge.when ?? '', kind: 'dynamic', when: edge.when ?? '' },
      );
    else
      ports.push({ id, label: kindLabels[edge.on ?? 'completed'], kind: edge.on ?? 'completed' });
  }
  if (!has(MAIN)) ports.unshift({ id: MAIN, label: kindLabels.completed, kind: 'completed' });
  return ports;
}

/** What an edge drawn from this port says. */
export function edgeFromPort(port: string): Pick<EdgeDoc, 'when' | 'on'> {
  if (port.startsWith('when:')) return { when: port.slice(5) };
  if (port === 'failed' || port === 'rejected' || port === 'timed_out')
    return { on: port satisfies EdgeOn };
  return {};
}

/** Whether a wire from this port to that node makes sense and is not there yet. */
export function canConnect(
  records: Records,
  source: string,
  port: string,
  target: string,
): boolean {
  if (source === END || target === START || (source === START && target === END)) return false;
  const known = (id: string) => id === START || id === END || records.nodes.has(id);
  if (!known(source) || !known(target)) return false;
  return ![...records.edges.values()].some(
    (edge) =>
      edge.source === source &&
      edge.target === target &&
      portOf(edge) === port &&
      !edge.condition &&
      edge.trigger !== 'agent',
  );
}

/** The words on an edge: its label, else what it waits for; empty for a plain edge. */
export function edgeText(edge: EdgeDoc | DraftEdge, ports: readonly Port[]): string {
  if (edge.label) return edge.label;
  if (edge.condition) return edge.condition;
  if (edge.trigger === 'agent') return 'agent chooses';
  const port = portOf(edge);
  const named = ports.length > 1 && ports.some((entry) => entry.id === port);
  return named || port === MAIN ? '' : (edge.when ?? kindLabels[edge.on ?? 'completed']);
}
