import { Anchor, Button } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import { standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import { useRemove } from '../SettingsSection.tsx';
import classes from './away.module.css';
import { backQuestion, whenText } from './words.ts';

/** Tells somebody who is away that others decide meanwhile, and lets them end it; nothing while they are here. */
export function YouAreAway() {
  const me = useSession().data?.user?.id;
  const { data: all = [] } = useQuery(standInsQuery);
  const end = useRemove(standInsQuery.queryKey, (id) => api.delete(`stand-ins/${id}/`));
  const one = all.find(({ absent, now }) => now && absent.id === me);
  if (one === undefined) return null;
  return (
    <section className={classes.line} aria-label="You are away">
      <IconBeach size={16} aria-hidden />
      <span>
        You are away {whenText(one)}: <b>{one.to.name}</b> decides meanwhile. You still can.
      </span>
      {one.may_change ? (
        <span className={classes.ways}>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void end(one.id, backQuestion(one, true))}
          >
            I am back
          </Button>
          <Anchor component={Link} to="/profile#away" underline="always" inherit>
            Change
          </Anchor>
        </span>
      ) : null}
    </section>
  );
}
