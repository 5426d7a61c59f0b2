import type { ItemChange, JsonSchema } from '../../../api/types/types.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import classes from './changes.module.css';
import { piecesOf } from './changes.ts';
import { shownChanges } from '../receipt/shown.ts';
import { personName } from '../names.ts';

/** What approvers changed: every key with its value before and after, and who did it. */
export function Changes({
  title,
  changes,
  schemas,
  mine = false,
}: {
  title: string;
  changes: readonly ItemChange[];
  /** What the workflow says of the fields. */
  schemas?: Readonly<Record<string, JsonSchema>> | undefined;
  /** Whether they are one's own, of which nobody else is told yet. */
  mine?: boolean;
}) {
  if (changes.length === 0) return null;
  return (
    <section className={classes.changes} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {shownChanges(changes, schemas).map((change) => (
          <div key={change.key}>
            <dt>
              {change.key}
              {mine ? null : <span> by {personName(change.by, 'somebody')}</span>}
            </dt>
            <dd>
              <Difference change={change} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Difference({ change }: { change: ItemChange }) {
  const pieces = piecesOf(change);
  if (pieces === null) {
    return (
      <>
        before: <ValueView value={change.before} /> after: <ValueView value={change.after} />
      </>
    );
  }
  return pieces.map(({ kind, text }, place) => {
    if (kind === 'same') return <span key={place}>{text}</span>;
    return kind === 'removed' ? <del key={place}>{text}</del> : <ins key={place}>{text}</ins>;
  });
}
