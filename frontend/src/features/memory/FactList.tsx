import { Link } from 'react-router';
import type { Fact } from '../../api/http/workspace/facts.ts';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import classes from './memory.module.css';

const SHOWN = 2;

interface FactListProps {
  facts: readonly Fact[];
  selected: string | null;
  hrefOf: (id: string) => string;
}

/** Facts, one a row of 40 px; the whole row opens it beside the list. */
export function FactList({ facts, selected, hrefOf }: FactListProps) {
  return (
    <ul className={classes.list} aria-label="Facts">
      {facts.map((fact) => (
        <li key={fact.id}>
          <Link
            to={hrefOf(fact.id)}
            className={classes.row}
            aria-current={fact.id === selected || undefined}
            data-fact={fact.id}
          >
            <span className={classes.text} title={fact.text}>
              {fact.text}
            </span>
            <Few names={fact.entities} kind="entity" />
            <Few names={fact.tags} kind="tag" />
            <span className={classes.from}>{fact.graph?.name ?? 'Written by hand'}</span>
            <span className={classes.age}>
              <RelativeTime at={fact.learned_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Few({ names, kind }: { names: readonly string[]; kind: 'tag' | 'entity' }) {
  return (
    <span className={classes.few} data-kind={kind}>
      {names.slice(0, SHOWN).map((name) => (
        <span key={name} className={classes.pill} data-kind={kind}>
          {name}
        </span>
      ))}
      {names.length > SHOWN ? (
        <span className={classes.more} title={names.slice(SHOWN).join(', ')}>
          +{names.length - SHOWN}
        </span>
      ) : null}
    </span>
  );
}
