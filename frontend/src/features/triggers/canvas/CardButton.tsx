import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { TriggerCard } from '../../../api/http/runs/triggers.ts';
import { useNow } from '../../../ui/format/useNow.ts';
import { KindIcon } from './KindIcon.tsx';
import { faresOf, lineOf, refusedOf } from './cardWords.ts';
import { showTrigger } from './shown.ts';
import classes from './cards.module.css';

/** One trigger before the start; pressed, it opens its panel. */
export function CardButton({ card }: { card: TriggerCard }) {
  const now = new Date(useNow(true, 10_000));
  const refused = refusedOf(card);
  return (
    <button
      type="button"
      className={`${classes.card} nopan nokey`}
      data-on={card.on}
      data-trigger={card.id}
      onClick={() => showTrigger(card.id)}
    >
      <KindIcon kind={card.kind} size={18} />
      <VisuallyHidden>{lineOf(card, now)}</VisuallyHidden>
      <span className={classes.words} aria-hidden>
        <span className={`${classes.name} gw-truncate`} title={card.name}>
          {card.name}
        </span>
        <span className={`${classes.fares} gw-truncate`}>{faresOf(card, now)}</span>
      </span>
      {refused ? (
        <span className={classes.refused} title={refused} aria-hidden>
          <IconAlertTriangle size={14} />
        </span>
      ) : null}
      <span className={classes.light} aria-hidden />
    </button>
  );
}
