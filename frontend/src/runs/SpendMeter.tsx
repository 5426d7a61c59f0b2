import { Tooltip } from '@mantine/core';
import { addDecimal, shareOf, subtractDecimal } from '../run/decimal.ts';
import type { Spend } from '../run/model.ts';
import { formatTokens, formatUsd } from '../ui/format.ts';
import classes from './runs.module.css';

interface SpendMeterProps { spend: Spend; limitUsd: string | null; limitTokens?: number | null; compact?: boolean }

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

interface Sums { used: string; held: string | null; left: string | null; bar: { used: number; held: number } | null }

/** The three numbers in the unit of the limit: money where there is a cap in money, else tokens. */
function sumsOf(spend: Spend, limitUsd: string | null, limitTokens: number | null): Sums {
  if (limitUsd === null && limitTokens !== null) {
    const { tokens, heldTokens } = spend;
    return {
      used: `${formatTokens(tokens)} tokens`,
      held: heldTokens > 0 ? formatTokens(heldTokens) : null,
      left: formatTokens(Math.max(0, limitTokens - tokens - heldTokens)),
      bar: { used: Math.min(1, tokens / limitTokens), held: Math.min(1, heldTokens / limitTokens) },
    };
  }
  return {
    used: formatUsd(spend.usd),
    held: Number(spend.heldUsd) > 0 || spend.heldTokens > 0 ? formatUsd(spend.heldUsd) : null,
    left: limitUsd === null ? null : formatUsd(leftOf(spend, limitUsd)),
    bar: limitUsd === null ? null : { used: shareOf(spend.usd, limitUsd), held: shareOf(spend.heldUsd, limitUsd) },
  };
}

const leftOf = (spend: Spend, limitUsd: string) => subtractDecimal(limitUsd, addDecimal(spend.usd, spend.heldUsd));

function exactly(spend: Spend, limitUsd: string | null, limitTokens: number | null): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  const held = Number(spend.heldUsd) > 0 || spend.heldTokens > 0;
  return [
    `${spend.usd} USD and ${count(spend.tokens)} tokens used`,
    held ? `${spend.heldUsd} USD and ${count(spend.heldTokens)} tokens held for calls under way` : '',
    limitUsd === null ? 'no limit in USD' : `${leftOf(spend, limitUsd)} USD left of ${limitUsd}`,
    limitTokens === null ? '' : `${count(Math.max(0, limitTokens - spend.tokens - spend.heldTokens))} tokens left of ${count(limitTokens)}`,
  ].filter((part) => part !== '').join(' · ');
}

/** Money, or tokens where only they are capped, as used · held · left: solid, hatched, empty. Without a limit only the sums. */
export function SpendMeter({ spend, limitUsd, limitTokens = null, compact = false }: SpendMeterProps) {
  const { used, held, left, bar } = sumsOf(spend, limitUsd, limitTokens);
  const exact = exactly(spend, limitUsd, limitTokens);
  return (
    <Tooltip label={exact} multiline maw={320}>
      <div className={classes.meter} data-compact={compact || undefined} role="group" aria-label={`Spend: ${exact}`} tabIndex={0}>
        <span className={classes.meterText} aria-hidden>
          <b>{used}</b> used
          {held === null ? null : <> · <b>{held}</b> held</>}
          {left === null ? <> · {formatTokens(spend.tokens)} tokens</> : <> · <b>{left}</b> left</>}
        </span>
        {bar === null ? null : (
          <span className={classes.meterBar} aria-hidden>
            <span className={classes.meterUsed} style={{ width: percent(bar.used) }} />
            <span className={classes.meterHeld} style={{ width: percent(bar.held) }} />
          </span>
        )}
      </div>
    </Tooltip>
  );
}
