import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { membersQuery } from '../../../../api/http/lists.ts';
import { useSession } from '../../../../api/http/queries.ts';
import type { Json } from '../../../../api/types/types.ts';
import { type Policy, readPolicy } from '../../../../graph/policy/policy.ts';
import { useEditor } from '../../../../store/editor.ts';
import classes from '../policy.module.css';
import { usePeople } from '../people/usePeople.ts';
import { whoQuery, worthAsking } from './whoQuery.ts';
import { whoWords } from './whoWords.ts';

const PAUSE_MS = 400;

function fits(policy: Json): boolean {
  const found = readPolicy(policy);
  return found !== null && worthAsking(found);
}

/** Who could decide today, said below the sentence as it is written. */
export function WhoDecides({ policy, told }: { policy: Json | undefined; told: Policy }) {
  const graph = useEditor((state) => state.graphId);
  const me = useSession().data?.user?.id ?? null;
  const { data: members = [] } = useQuery(membersQuery);
  const { name } = usePeople();
  const [chosen, setChosen] = useState<string | null>(null);
  const [settled] = useDebouncedValue(policy ?? {}, PAUSE_MS);
  const { data, error } = useQuery({
    ...whoQuery(settled, chosen, graph),
    enabled: fits(settled),
  });
  // that it cannot be asked now hinders nobody who writes
  if (!data || error || !worthAsking(told)) return null;
  const { today, lines, short } = whoWords(data, name);
  return (
    <>
      <div className={classes.who} data-short={short} role="status">
        <span>
          <b>Can decide today</b> {today}
        </span>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
      {told.four_eyes.includes('starter') && members.length > 1 ? (
        <Select
          size="xs"
          label="If this person started it"
          searchable
          allowDeselect={false}
          data={members.map(({ user }) => ({ value: user.id, label: user.name || user.email }))}
          value={chosen ?? me}
          onChange={setChosen}
        />
      ) : null}
    </>
  );
}
