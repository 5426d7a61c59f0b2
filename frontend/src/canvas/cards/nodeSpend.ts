import { type Side, sidesOf } from '../../liverun/spendTotals.ts';
import type { NodeRunView } from './context.ts';

/** What a node has spent, against the caps it has. */
export const sidesOfNode = (view: NodeRunView): [Side, Side] =>
  sidesOf(
    {
      usd: view.usedUsd ?? '0',
      tokens: view.usedTokens ?? 0,
      heldUsd: view.heldUsd ?? '0',
      heldTokens: view.heldTokens ?? 0,
    },
    view.limitUsd ?? null,
    view.limitTokens ?? null,
  );
