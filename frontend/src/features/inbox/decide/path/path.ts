import type { Interrupt } from '../../../../api/types/types.ts';
import type { ActivationView, RunView } from '../../../../run/fold/model.ts';

/** What had run when an item was opened, in order: of an item that was decided, nothing that its decision started. */
export function endedBefore(
  view: Pick<RunView, 'order' | 'activations'>,
  item: Pick<Interrupt, 'node' | 'opened_at'>,
): ActivationView[] {
  const opened = Date.parse(item.opened_at);
  return view.order.flatMap((key) => {
    const activation = view.activations[key];
    if (!activation || key.includes('/') || activation.node === item.node) return [];
    return activation.endedAt !== null && activation.endedAt <= opened ? [activation] : [];
  });
}

const SIDE: ReadonlySet<string> = new Set(['rejected', 'timed_out', 'failed']);

/** The ways on from an item: while it is open all of them, then the one that its decision took. */
export function waysOn<E extends { on?: string | null | undefined }>(
  edges: readonly E[],
  item: Pick<Interrupt, 'status' | 'decided'>,
): readonly E[] {
  if (item.status === 'open') return edges;
  const decision = item.status === 'expired' ? 'timed_out' : item.decided?.decision;
  if (decision === undefined || decision === 'stop' || decision === 'cancel') return [];
  return SIDE.has(decision)
    ? edges.filter(({ on }) => on === decision)
    : edges.filter(({ on }) => !SIDE.has(on ?? ''));
}
