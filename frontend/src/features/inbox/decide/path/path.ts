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
