import { IconTag, IconUsers } from '@tabler/icons-react';
import { type FactView, factsOf } from '../../../run/reading/special.ts';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** The facts that the node stored, and those it was told of. */
export function Facts({ activation }: SpecialProps) {
  const { stored, found } = factsOf(activation);
  return (
    <>
      {stored.map((each, place) => (
        <div key={place}>
          <h3 className={classes.title}>
            {each.done ? 'Stored' : 'Being stored'}: {each.facts.length}{' '}
            {each.facts.length === 1 ? 'fact' : 'facts'}
          </h3>
          <FactList facts={each.facts} />
        </div>
      ))}
      {found.map((each, place) => (
        <div key={place}>
          <h3 className={classes.title}>Found{each.query ? ` for “${each.query}”` : ''}</h3>
          <FactList facts={each.facts} />
        </div>
      ))}
    </>
  );
}

/** Facts with their tags and the entities that they are about. */
export function FactList({ facts }: { facts: readonly FactView[] }) {
  if (facts.length === 0) return <p className={classes.quiet}>None.</p>;
  return (
    <ul className={classes.facts} aria-label="Facts">
      {facts.map((fact, place) => (
        <li key={place}>
          <p>{fact.text}</p>
          {fact.tags.length + fact.entities.length > 0 ? (
            <div className={classes.chips}>
              {fact.entities.map((name) => (
                <span key={`e:${name}`}>
                  <IconUsers size={12} role="img" aria-label="Entity" />
                  {name}
                </span>
              ))}
              {fact.tags.map((name) => (
                <span key={`t:${name}`}>
                  <IconTag size={12} role="img" aria-label="Tag" />
                  {name}
                </span>
              ))}
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
