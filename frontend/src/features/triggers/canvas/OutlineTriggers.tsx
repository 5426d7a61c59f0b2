import { useQuery } from '@tanstack/react-query';
import { triggerCardsQuery } from '../../../api/http/runs/triggers.ts';
import { useEditor } from '../../../store/editor.ts';
import { useNow } from '../../../ui/format/useNow.ts';
import { KindIcon } from './KindIcon.tsx';
import { lineOf } from './cardWords.ts';
import { showTrigger } from './shown.ts';
import classes from './cards.module.css';

/** The triggers as lines above the outline: to be read and opened, no part of what it lists. */
export function OutlineTriggers() {
  const graphId = useEditor((state) => state.graphId);
  const canEdit = useEditor((state) => state.can.edit);
  const { data = [] } = useQuery(triggerCardsQuery(graphId));
  const now = new Date(useNow(true, 10_000));
  if (data.length === 0 && !canEdit) return null;
  return (
    <ul className={classes.lines} aria-label="What starts it">
      {data.map((card) => (
        <li key={card.id}>
          <button type="button" onClick={() => showTrigger(card.id)}>
            <KindIcon kind={card.kind} size={14} />
            <span>{lineOf(card, now)}</span>
          </button>
        </li>
      ))}
      {canEdit ? (
        <li>
          <button type="button" onClick={() => showTrigger('new')}>
            + Trigger
          </button>
        </li>
      ) : null}
    </ul>
  );
}
