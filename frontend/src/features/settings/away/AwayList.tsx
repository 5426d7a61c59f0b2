import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import { type StandIn, standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import type { Person } from '../../../api/types/types.ts';
import { useRemove } from '../SettingsSection.tsx';
import classes from '../settings.module.css';
import { AwayForm } from './AwayForm.tsx';
import { awayText, backQuestion } from './words.ts';

interface ListProps {
  person: Person;
  own?: boolean;
  /** By which visit the form is asked for at once; it opens once, unless an absence is there. */
  asked?: string | null;
}

/** When somebody is away, now and later, and a way to say so for who may. */
export function AwayList({ person, own = false, asked = null }: ListProps) {
  const { data, isSuccess } = useQuery(standInsQuery);
  const all = data ?? [];
  const { data: session } = useSession();
  const [open, setOpen] = useState<StandIn | 'new' | null>(null);
  const end = useRemove(standInsQuery.queryKey, (id) => api.delete(`stand-ins/${id}/`));
  const mine = all.filter(({ absent }) => absent.id === person.id);
  const button = useRef<HTMLButtonElement>(null);
  /** Where what it was opened by is gone, as a menu is, the focus goes on from the button. */
  const focusBack = () => {
    if (document.activeElement === document.body) button.current?.focus();
  };
  const [heard, setHeard] = useState<string | null>(null);
  const isAsked = isSuccess && mine.length === 0 && asked !== null && asked !== heard;
  const shown = open ?? (isAsked ? 'new' : null);
  const close = () => {
    setOpen(null);
    setHeard(asked);
  };
  const zone = session?.workspace?.settings.timezone ?? 'UTC';
  return (
    <>
      {mine.length > 0 ? (
        <ul
          className={classes.rows}
          aria-label={own ? 'Your absences' : `Absences of ${person.name}`}
        >
          {mine.map((one) => (
            <li key={one.id}>
              <div className={classes.rowMain}>
                <b>{awayText(one)}</b>
                {one.note ? (
                  <Text size="sm" c="dimmed">
                    {one.note}
                  </Text>
                ) : null}
              </div>
              <Group gap="xs">
                <Button size="xs" variant="default" onClick={() => setOpen(one)}>
                  Change
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => void end(one.id, backQuestion(one, own))}
                >
                  End
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      ) : null}
      <Button ref={button} variant="default" onClick={() => setOpen('new')}>
        {mine.length > 0 ? 'Another absence' : own ? 'I am away' : `${person.name} is away`}
      </Button>
      <Modal
        opened={shown !== null}
        onClose={close}
        onExitTransitionEnd={focusBack}
        title={own ? 'While you are away' : `While ${person.name} is away`}
      >
        {shown ? (
          <AwayForm
            absent={person}
            known={shown === 'new' ? null : shown}
            zone={zone}
            own={own}
            onDone={close}
          />
        ) : null}
      </Modal>
    </>
  );
}
