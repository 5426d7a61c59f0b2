import { addDecimal, shareOf, subtractDecimal } from '../run/values/decimal.ts';
import type { Spend } from '../run/fold/model.ts';
import { formatTokens, formatUsd } from '../ui/format/format.ts';

/** One side of a budget, in money or in tokens; `left` and `share` only where that side is capped. */
export interface Side {
  unit: 'usd' | 'tokens';
  used: string;
  held: string | null;
  left: string | null;
  share: { used: number; held: number } | null;
}

function usdSide(spend: Spend, limit: string | null): Side {
  return {
    unit: 'usd',
    used: formatUsd(spend.usd),
    held: Number(spend.heldUsd) > 0 ? formatUsd(spend.heldUsd) : null,
    left:
      limit === null
        ? null
        : formatUsd(subtractDecimal(limit, addDecimal(spend.usd, spend.heldUsd))),
    share:
      limit === null
        ? null
        : { used: shareOf(spend.usd, limit), held: shareOf(spend.heldUsd, limit) },
  };
}

function tokenSide({ tokens, heldTokens }: Spend, limit: number | null): Side {
  return {
    unit: 'tokens',
    used: `${formatTokens(tokens)} tokens`,
    held: heldTokens > 0 ? formatTokens(heldTokens) : null,
    left: limit === null ? null : formatTokens(Math.max(0, limit - tokens - heldTokens)),
    share:
      limit === null
        ? null
        : { used: Math.min(1, tokens / limit), held: Math.min(1, heldTokens / limit) },
  };
}

/** Both sides of a spend, the capped one first; money before tokens where both are, or none is. */
export function sidesOf(
  spend: Spend,
  limitUsd: string | null,
  limitTokens: number | null,
): [Side, Side] {
  const [usd, tokens] = [usdSide(spend, limitUsd), tokenSide(spend, limitTokens)];
  return limitUsd === null && limitTokens !== null ? [tokens, usd] : [usd, tokens];
}

/** How far the side that is nearest to its cap has come; null without any cap. */
export function tightest(sides: readonly Side[]): { used: number; held: number } | null {
  const shares = sides.flatMap(({ share }) => (share === null ? [] : [share]));
  return shares.toSorted((a, b) => b.used + b.held - a.used - a.held)[0] ?? null;
}
