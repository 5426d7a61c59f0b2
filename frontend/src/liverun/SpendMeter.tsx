import { Tooltip } from '@mantine/core';
import { type Side, sidesOf, tightest } from './spendTotals.ts';
import { addDecimal, subtractDecimal } from '../run/values/decimal.ts';
import type { Spend } from '../run/fold/model.ts';
import classes from './spendMeter.module.css';

interface SpendMeterProps {
  spend: Spend;
  limitUsd: string | null;
  limitTokens?: number | null;
  compact?: boolean;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

const leftOf = (spend: Spend, limitUsd: string) =>
  subtractDecimal(limitUsd, addDecimal(spend.usd, spend.heldUsd));

function exactly(spend: Spend, limitUsd: string | null, limitTokens: number | null): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  const held = Number(spend.heldUsd) > 0 || spend.heldTokens > 0;
  return [
    `${spend.usd} USD and ${count(spend.tokens)} tokens used`,
    held
      ? `${spend.heldUsd} USD and ${count(spend.heldTokens)} tokens held for calls under way`
      : '',
    limitUsd === null ? 'no limit in USD' : `${leftOf(spend, limitUsd)} USD left of ${limitUsd}`,
    limitTokens === null
      ? ''
      : `${count(Math.max(0, limitTokens - spend.tokens - spend.heldTokens))} tokens left of ${count(limitTokens)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** One line: used · held · left, as far as there is such a thing. */
function Line({ side: { used, held, left } }: { side: Side }) {
  return (
    <span className={classes.text}>
      <b>{used}</b> used
      {held === null ? null : (
        <>
          {' '}
          · <b>{held}</b> held
        </>
      )}
      {left === null ? null : (
        <>
          {' '}
          · <b>{left}</b> left
        </>
      )}
    </span>
  );
}

/** Money and tokens as used · held · left, with a bar for the cap that is nearest: solid, hatched, empty. */
export function SpendMeter({
  spend,
  limitUsd,
  limitTokens = null,
  compact = false,
}: SpendMeterProps) {
  const sides = sidesOf(spend, limitUsd, limitTokens);
  const bar = tightest(sides);
  const exact = exactly(spend, limitUsd, limitTokens);
  return (
    <Tooltip label={exact} multiline maw={320}>
      <div
        className={classes.meter}
        data-meter
        data-compact={compact || undefined}
        role="group"
        aria-label={`Spend: ${exact}`}
        tabIndex={0}
      >
        <span className={classes.lines} data-capped={bar !== null || undefined} aria-hidden>
          {sides.map((side) => (
            <Line key={side.unit} side={side} />
          ))}
        </span>
        {bar === null ? null : (
          <span className={classes.bar} aria-hidden>
            <span className={classes.used} style={{ width: percent(bar.used) }} />
            <span className={classes.held} style={{ width: percent(bar.held) }} />
          </span>
        )}
      </div>
    </Tooltip>
  );
}
