import { Tooltip } from '@mantine/core';
import { addDecimal, shareOf, subtractDecimal } from '../run/decimal.ts';
import type { Spend } from '../run/model.ts';
import { formatTokens, formatUsd } from '../ui/format.ts';
import classes from './runs.module.css';

interface SpendMeterProps { spend: Spend; limitUsd: string | null; limitTokens?: number | null; compact?: boolean }

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** Money as used · held · left: solid, hatched, empty. Without a limit only the sums. */
export function SpendMeter({ spend, limitUsd, limitTokens = null, compact = false }: SpendMeterProps) {
  const held = Number(spend.heldUsd) > 0 || spend.heldTokens > 0;
  const left = limitUsd === null ? null : subtractDecimal(limitUsd, addDecimal(spend.usd, spend.heldUsd));
  const exact = [
    `${spend.usd} USD and ${spend.tokens.toLocaleString('en')} tokens used`,
    held ? `${spend.heldUsd} USD and ${spend.heldTokens.toLocaleString('en')} tokens held for calls under way` : '',
    left === null ? 'no limit in USD' : `${left} USD left of ${limitUsd ?? ''}`,
    limitTokens === null ? '' : `token limit ${limitTokens.toLocaleString('en')}`,
  ].filter((part) => part !== '').join(' · ');
  return (
    <Tooltip label={exact} multiline maw={320}>
      <div className={classes.meter} data-compact={compact || undefined} role="group" aria-label={`Spend: ${exact}`} tabIndex={0}>
        <span className={classes.meterText} aria-hidden>
          <b>{formatUsd(spend.usd)}</b> used
          {held ? <> · <b>{formatUsd(spend.heldUsd)}</b> held</> : null}
          {left === null ? <> · {formatTokens(spend.tokens)} tokens</> : <> · <b>{formatUsd(left)}</b> left</>}
        </span>
        {limitUsd === null ? null : (
          <span className={classes.meterBar} aria-hidden>
            <span className={classes.meterUsed} style={{ width: percent(shareOf(spend.usd, limitUsd)) }} />
            <span className={classes.meterHeld} style={{ width: percent(shareOf(spend.heldUsd, limitUsd)) }} />
          </span>
        )}
      </div>
    </Tooltip>
  );
}
