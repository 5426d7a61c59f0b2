import { Alert, Anchor, Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Interrupt } from '../../../api/types/types.ts';
import { isUnused, unusedText, unusedTitle } from '../decide/rights/notUsed.ts';
import { titleOf } from '../names.ts';
import { heldItems } from '../rhythm/courier/courier.ts';
import classes from './bulk/bulk.module.css';

const SHOWN = 3;
const MOST_KEPT = 100;

/** Tells who decided and may not any more that it did not count: it is in no list of theirs. */
export function NotUsed({ search }: { search: string }) {
  const { data } = useQuery({ queryKey: ['interrupts', 'refused'], queryFn: heldItems });
  const [read, setRead] = useLocalStorage<string[]>({ key: 'gw-unused-read', defaultValue: [] });
  const keyOf = (item: Interrupt) => `${item.request_id} ${item.held?.commit_at ?? ''}`;
  const items = [...(data?.values() ?? [])].filter(
    (item) => isUnused(item) && !item.can_decide && !read.includes(keyOf(item)),
  );
  const [first] = items;
  if (first === undefined) return null;
  return (
    <Alert
      color="yellow"
      role="status"
      className={classes.unused}
      title={
        items.length === 1 ? unusedTitle(first) : `${items.length} decisions of yours were not used`
      }
    >
      <ul className={classes.refused}>
        {items.slice(0, SHOWN).map((item) => (
          <li key={item.request_id}>
            <Anchor
              component={Link}
              to={`/inbox/${item.request_id}${search}`}
              inherit
              underline="always"
            >
              {titleOf(item)}
            </Anchor>{' '}
            {unusedText(item)}
          </li>
        ))}
        {items.length > SHOWN ? <li>{items.length - SHOWN} more like these</li> : null}
      </ul>
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        onClick={() => setRead((before) => [...items.map(keyOf), ...before].slice(0, MOST_KEPT))}
      >
        Understood
      </Button>
    </Alert>
  );
}
