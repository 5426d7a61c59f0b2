import { Alert, Anchor } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { calledOf } from '../../names.ts';
import { counted, type LeftOut } from './bulk.ts';
import classes from './bulk.module.css';

/** Of each reason, so many items are named. */
const NAMED = 5;

interface StayOutProps {
  out: readonly LeftOut[];
  onClose: () => void;
}

/** Which of the picked items are not decided with the others, by reason, each with the way to it. */
export function StayOut({ out, onClose }: StayOutProps) {
  const { search } = useLocation();
  if (out.length === 0) return null;
  const count = out.reduce((all, { items }) => all + items.length, 0);
  return (
    <Alert
      color="yellow"
      className={classes.out}
      title={`${counted(count)} ${count === 1 ? 'stays' : 'stay'} out, and ${count === 1 ? 'waits' : 'wait'} as before`}
    >
      <ul className={classes.refused}>
        {out.map(({ why, items }) => (
          <li key={why}>
            {items.length} {items.length === 1 ? 'is' : 'are each'} {why}
            <span className={classes.names}>
              {items.slice(0, NAMED).map((item) => (
                <Anchor
                  key={item.request_id}
                  component={Link}
                  to={`/inbox/${item.request_id}${search}`}
                  inherit
                  onClick={onClose}
                >
                  {calledOf(item)}
                </Anchor>
              ))}
              {items.length > NAMED ? <span>and {items.length - NAMED} more</span> : null}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
