import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { MentionField } from '../../comments/naming/MentionField.tsx';
import { useMentions } from '../../comments/naming/useMentions.ts';
import classes from './asking.module.css';
import { AlsoTold } from './AlsoTold.tsx';
import { askableQuery, useAsking } from './useAsking.ts';
import { awayText } from './words.ts';

interface AskDialogProps {
  item: Interrupt;
  onClose: () => void;
  /** Write into the item's thread instead: the clock goes on then. */
  onThread: () => void;
}

/** To whom, and what: the clock of the item stops until the reply. */
export function AskDialog({ item, onClose, onThread }: AskDialogProps) {
  const { data: people = [], isSuccess } = useQuery(askableQuery(item.request_id));
  const [to, setTo] = useState<string | null>(null);
  const words = useMentions();
  const question = words.text.trim();
  const asking = useAsking(item, onClose);
  const whom = to ?? people[0]?.id ?? null;
  const { data: absences } = useQuery(standInsQuery);
  const asked = people.find(({ id }) => id === whom);
  const away = awayText(asked, absences);
  const ready = whom !== null && question !== '';
  const send = () => {
    if (ready && !asking.isPending)
      asking.mutate({ verb: 'ask-back', body: { to: whom, question, mentions: words.mentions } });
  };
  return (
    <Modal opened onClose={onClose} title="Ask before you decide" centered>
      <Stack gap="sm">
        {isSuccess && people.length === 0 ? (
          <Text size="sm">Nobody else here started this or draws workflows.</Text>
        ) : (
          <Select
            label="To whom"
            allowDeselect={false}
            searchable={people.length > 8}
            data={people.map(({ id, name, started }) => ({
              value: id,
              label: started ? `${name}, who started it` : name,
            }))}
            value={whom}
            onChange={setTo}
          />
        )}
        {away ? (
          <Text size="sm" role="status">
            {away} Choose somebody else, or write to everyone.
          </Text>
        ) : null}
        <MentionField
          label="Question"
          description="The clock stops until they answer, for seven days at most. Nothing is decided. Write @ to tell somebody else of it too."
          data-autofocus
          minRows={3}
          maxRows={10}
          maxLength={4000}
          text={words.text}
          onText={words.setText}
          onPick={words.pick}
          onPress={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            event.stopPropagation();
            send();
          }}
        />
        <AlsoTold named={words.named} but={whom} />
        {asking.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(asking.error)}
          </Text>
        ) : null}
        <Group gap="xs" justify="space-between">
          <Button
            loading={asking.isPending}
            disabled={!ready}
            onClick={send}
            rightSection={
              <span className={classes.keys}>
                <Kbd keys="Mod+Enter" />
              </span>
            }
          >
            Ask
          </Button>
          <Button variant="subtle" color="gray" onClick={onThread}>
            Write to everyone instead
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
