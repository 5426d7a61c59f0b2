import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconCoin, IconInfinity } from '@tabler/icons-react';
import { useEditor } from '../../../store/editor.ts';
import { formatTokens, formatUsd } from '../../../ui/format/format.ts';
import classes from '../editor.module.css';

/** The most that one run can cost, as the server proved it; nothing where it says nothing. */
export function WorstCaseChip({ onJump }: { onJump: () => void }) {
  const worst = useEditor((state) => state.worstCase);
  if (!worst) return null;
  const bound =
    worst.usd !== null
      ? `${formatUsd(worst.usd)} a run`
      : worst.tokens !== null
        ? `${formatTokens(worst.tokens)} tokens a run`
        : null;
  const open = worst.unbounded || bound === null;
  return (
    <Tooltip label={worst.why || 'The most that one run can spend'} multiline maw={320}>
      <UnstyledButton
        className={classes.worst}
        data-tone={open ? 'amber' : undefined}
        onClick={onJump}
        aria-label={
          open ? `No upper bound of spend. ${worst.why}` : `At most ${bound}. ${worst.why}`
        }
      >
        {open ? (
          <>
            <IconInfinity size={15} aria-hidden />
            No upper bound
          </>
        ) : (
          <>
            <IconCoin size={15} aria-hidden />
            At most {bound}
          </>
        )}
      </UnstyledButton>
    </Tooltip>
  );
}
