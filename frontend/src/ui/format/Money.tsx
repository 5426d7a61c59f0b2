import { Tooltip } from '@mantine/core';
import { formatTokens, formatUsd } from './format.ts';

/** A sum in USD; the exact one on hover. */
export function Money({ usd }: { usd: string | number | null | undefined }) {
  if (usd === null || usd === undefined) return <span>–</span>;
  return (
    <Tooltip label={`${usd} USD`}>
      <span className="gw-num">{formatUsd(usd)}</span>
    </Tooltip>
  );
}

/** A count of tokens; the exact one on hover. */
export function Tokens({ count }: { count: number | null | undefined }) {
  if (count === null || count === undefined) return <span>–</span>;
  return (
    <Tooltip label={`${count.toLocaleString('en')} tokens`}>
      <span className="gw-num">{formatTokens(count)}</span>
    </Tooltip>
  );
}
