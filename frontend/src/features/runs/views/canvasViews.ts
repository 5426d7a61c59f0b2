import { waitWords } from '../../../run/reading/describe.ts';
import type { EdgeRunView, NodeRunView } from '../../../canvas/cards/context.ts';
import type { GraphDoc, NodeDoc, ViewInfo } from '../../../api/types/types.ts';
import type { ActivationView, NodeView, RunView } from '../../../run/fold/model.ts';
import { belowText, rejectedBelow, standingOf } from '../../../run/ended/rejected.ts';
import { headlineOf, viewsOf } from '../../../run/reading/special.ts';
import { sleepsUntil } from '../../../run/waits/asleep.ts';
import { nextTry } from './nextTry.ts';
import { formatUntil } from '../../../ui/format/format.ts';
import type { AnyStatus } from '../../../ui/status.ts';

const MOVING = new Set(['queued', 'running', 'retrying']);

/** The activation that a node's card tells about: the live one, else the latest. */
export function shownActivation(view: RunView, id: string): ActivationView | undefined {
  const node = view.nodes[id];
  if (node === undefined) return undefined;
  const live = node.keys.findLast((key) => view.live.includes(key));
  return view.activations[live ?? node.latest];
}

/** How a step stands, as its card says it: one at which somebody said no is rejected, not failed. */
export function shownStanding(view: RunView, { id, status }: NodeView): AnyStatus {
  const activation = shownActivation(view, id);
  if (activation && sleepsUntil(activation) !== null) return 'asleep';
  return standingOf({ status, error: activation?.error ?? null });
}

/** What the card of a node shows at this moment. A cap is for one execution, so its bar is the shown activation's. */
export function nodeRunView(
  view: RunView,
  doc: NodeDoc,
  live: Readonly<Record<string, string>>,
  now: number,
  told: Told = UNTOLD,
): NodeRunView | undefined {
  const node = view.nodes[doc.id];
  const activation = shownActivation(view, doc.id);
  if (node === undefined || activation === undefined) return undefined;
  const limitUsd = doc.budget?.max_cost_usd ?? null;
  const limitTokens = doc.budget?.max_tokens ?? null;
  const spend = limitUsd === null && limitTokens === null ? node.spend : activation.spend;
  const sleeps = sleepsUntil(activation);
  const standing = standingOf({ status: node.status, error: activation.error });
  const text = node.keys.map((key) => live[key]).findLast((each) => each !== undefined);
  return {
    status: sleeps === null ? standing : 'asleep',
    visits: node.visits,
    attempt: activation.attempt,
    maxAttempts: activation.maxAttempts,
    usedUsd: spend.usd,
    heldUsd: spend.heldUsd,
    usedTokens: spend.tokens,
    heldTokens: spend.heldTokens,
    limitUsd,
    limitTokens,
    durationMs:
      activation.startedAt === null
        ? null
        : Math.max(0, (activation.endedAt ?? now) - activation.startedAt),
    error: standing === 'failed' || standing === 'retrying' ? troubleOf(activation) : null,
    nextTry: nextTry(activation, now),
    circuitOpen: view.circuits[doc.id]?.state === 'open',
    ...undoOf(view, doc.id),
    headline:
      sleeps === null
        ? headline(view, activation, told)
        : `Sleeps until ${formatUntil(new Date(sleeps), new Date(now))}`,
    ...refusalOf(activation),
    ...(text === undefined ? {} : { tokensText: text }),
  };
}

/** Why a node failed, or what its next attempt waits for and why. */
function troubleOf(activation: ActivationView): string | null {
  const error = activation.error ?? activation.attemptErrors.at(-1)?.error;
  if (error === undefined) return null;
  return `${waitWords(activation.waitsFor)}${error.message}`;
}

/** Why somebody said no in the workflow that a node called: the reason first, as a card has room for little. */
function refusalOf({ error }: ActivationView): Pick<NodeRunView, 'refusal'> {
  const reason = error ? rejectedBelow(error) : null;
  return reason === null ? {} : { refusal: `${reason} (${belowText(null)})` };
}

/** What the server says is special to the node's type, and how nodes are called. */
export interface Told {
  views: readonly ViewInfo[];
  label: (id: string) => string;
}
const UNTOLD: Told = { views: [], label: (id) => id };

function headline(view: RunView, activation: ActivationView, { views, label }: Told): string {
  const first = viewsOf(view, activation, views)[0];
  return first === undefined ? '' : headlineOf(view, activation, first.kind, label);
}

/** How the undo of a node stands; the worst of several. */
function undoOf(view: RunView, id: string): Pick<NodeRunView, 'undo'> {
  const own = view.undos.filter((undo) => undo.node === id).map((undo) => undo.status);
  const worst = (['failed', 'running', 'completed'] as const).find((status) =>
    own.includes(status),
  );
  return worst === undefined ? {} : { undo: worst };
}

/** How an edge is drawn: lit when a token went along it, moving while its target is at work. */
export function edgeRunView(
  view: RunView,
  edge: { index: number; source: string; target: string },
): EdgeRunView | undefined {
  const target = view.nodes[edge.target];
  const count =
    edge.source === '__start__'
      ? target === undefined
        ? 0
        : 1
      : (view.takenEdges[edge.index] ?? 0);
  if (count === 0) return undefined;
  return { taken: true, active: target !== undefined && MOVING.has(target.status), count };
}

export const nodeLabel = (document: GraphDoc, id: string): string =>
  document.nodes.find((node) => node.id === id)?.label || id;
