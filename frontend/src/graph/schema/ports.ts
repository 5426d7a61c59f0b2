import type { EdgeDoc, EdgeOn, HandleKind, NodeTypeInfo } from '../../api/types/types.ts';
import { conditionWords } from '../conditions/condition.ts';
import { read } from '../conditions/read.ts';
import { END, START, type DraftEdge, type Records } from '../document/document.ts';
import { conditionPort, IF } from './branches.ts';

/** A place on a node card from which edges leave. */
export interface Port {
  id: string;
  label: string;
  kind: HandleKind;
  /** The token that edges of this port wait for; absent: no token. */
  when?: string;
  /** What it stands for, in full. */
  hint?: string;
  /** It stands for a value that no wire asks for yet, or for an outcome that none waits for. */
  quiet?: boolean;
  /** It takes no room on the card: an outcome of any node that no wire waits for, shown below a card that is looked at. */
  tucked?: boolean;
}

export const MAIN = 'completed';
export const OTHERWISE = 'Otherwise';
/** The port from which a wire gets a condition of its own, or a token where the node says words. */
export const NEW_BRANCH = 'dynamic';
/** The condition of a wire that has to be said yet: with it no run starts. */
export const UNSAID = '';
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

/** The port that an edge leaves from: one with a condition has its own, until it is said the one for new branches. */
export function portOf(edge: EdgeDoc): string {
  const on = edge.on ?? 'completed';
  if (on !== 'completed') return on;
  if (edge.condition === UNSAID) return NEW_BRANCH;
  const asking = conditionPort(edge);
  if (asking) return asking;
  return edge.when ? `when:${edge.when}` : MAIN;
}

/** Whether a port is for what went another way than the node's own: failure, rejection, time. */
const isOutcome = ({ kind }: Port) => kind !== 'completed' && kind !== 'dynamic';

/** The ports of a node that branches by conditions: these first; its plain one, which is what is left, after all choices. */
function withBranches(ports: readonly Port[], branches: readonly Port[]): Port[] {
  if (branches.length === 0) return [...ports];
  const plain = ports.find(({ id }) => id === MAIN);
  return [
    ...branches,
    ...ports.filter((port) => port.id !== MAIN && !isOutcome(port)),
    { id: MAIN, kind: 'completed', ...plain, label: OTHERWISE },
    ...ports.filter(isOutcome),
  ];
}

/** A port for each condition of edges that is none of these: what it is called, else what it says. */
function conditionPorts(out: readonly EdgeDoc[], values: readonly Port[]): Port[] {
  const ports = new Map<string, Port>();
  for (const edge of out) {
    const id = conditionPort(edge);
    if (!id || ports.has(id) || values.some((port) => port.id === id)) continue;
    const hint = inWords(id.slice(IF.length));
    ports.set(id, { id, label: edge.label || hint, kind: 'dynamic', hint });
  }
  return [...ports.values()];
}

/** All ports of a node: those of values and other conditions, the declared ones, then those that its edges add (tokens, failure and the like). */
export function portsOf(
  type: NodeTypeInfo | undefined,
  out: readonly EdgeDoc[],
  values: readonly Port[] = [],
): Port[] {
  const ports = withBranches(declared(type), [...values, ...conditionPorts(out, values)]);
  const branches = ports.findIndex((port) => port.id === NEW_BRANCH);
  const has = (id: string) => ports.some((port) => port.id === id);
  for (const edge of out) {
    const id = portOf(edge);
    if (has(id) || id.startsWith(IF) || id === NEW_BRANCH) continue;
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
  const wired = new Set(out.map(portOf));
  return ports.map((port) => {
    if (!isOutcome(port)) return port;
    const quiet = !wired.has(port.id);
    // a refusal is what an approval is for: its port stays in sight
    return { ...port, quiet, tucked: quiet && port.kind !== 'rejected' };
  });
}

/** What an edge drawn from this port says. */
export function edgeFromPort(port: string): Pick<EdgeDoc, 'when' | 'on' | 'condition'> {
  if (port === NEW_BRANCH) return { condition: UNSAID };
  if (port.startsWith(IF)) return { condition: port.slice(IF.length) };
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
      (edge.condition ? port.startsWith(IF) : true) &&
      edge.trigger !== 'agent',
  );
}

/** Whether one of these edges is taken on a condition or token alone, so that a plain one beside it is what is left. */
export const chooses = (out: readonly EdgeDoc[]): boolean =>
  out.some(
    (edge) =>
      (edge.on ?? 'completed') === 'completed' && (edge.condition ?? edge.when ?? null) !== null,
  );

/**
 * The words on an edge: its label, else what it waits for; empty for a plain edge, and where its port says
 * the same. Beside edges that wait for something (`chosen`) a plain one says that it is what is left.
 */
export function edgeText(
  edge: EdgeDoc | DraftEdge,
  ports: readonly Port[],
  chosen = false,
): string {
  const port = portOf(edge);
  const own = ports.length > 1 ? ports.find((entry) => entry.id === port) : undefined;
  if (edge.label) return port.startsWith(IF) && own?.label === edge.label ? '' : edge.label;
  if (edge.trigger === 'agent') return 'agent chooses';
  if (typeof edge.condition === 'string' && !(own && port.startsWith(IF)))
    return inWords(edge.condition);
  if (port === MAIN) return chosen && own?.label !== OTHERWISE ? OTHERWISE : '';
  return own ? '' : (edge.when ?? kindLabels[edge.on ?? 'completed']);
}

/** What a wire waits for, without regard to the card that it leaves; empty for a plain one. */
export function wireWords(edge: EdgeDoc): string {
  if (edge.label) return edge.label;
  if (typeof edge.condition === 'string') return inWords(edge.condition);
  const on = edge.on ?? 'completed';
  return edge.when ?? (on === 'completed' ? '' : kindLabels[on]);
}

/** A condition as people say it; where rows do not say it, the expression. */
function inWords(condition: string): string {
  if (condition === UNSAID) return 'if …';
  const rows = read(condition);
  return rows ? conditionWords(rows) : condition;
}
