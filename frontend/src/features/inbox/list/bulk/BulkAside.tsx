import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import type { Interrupt, Page } from '../../../../api/types/types.ts';
import { snoozeChoices } from '../../people.ts';
import type { ItemOutcome } from '../../rhythm/courier/courier.ts';
import { counted, lastDeadline } from './bulk.ts';
import { Refused } from './Refused.tsx';

interface AsideProps {
  items: readonly Interrupt[];
  verb: 'snooze' | 'claim' | 'delegate';
  onClose: () => void;
  /** `left`: ids of what stayed as it was. */
  onDone: (left: readonly string[]) => void;
}

const TITLES = { snooze: 'Snooze', claim: 'Claim', delegate: 'Delegate' };
const DONE = { snooze: 'snoozed', claim: 'claimed', delegate: 'delegated' };

/** Snooze, claim or delegate what is picked: one request, and what it left as it was with the reasons. */
export function BulkAside({ items, verb, onClose, onDone }: AsideProps) {
  const client = useQueryClient();
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const act = useMutation({
    mutationFn: async (body: Record<string, unknown>) => {
      const sent = items;
      const ids = sent.map((item) => item.request_id);
      const { results } = await api.post<Page<ItemOutcome>>(`interrupts/${verb}/`, {
        ids,
        ...body,
      });
      return { sent, refused: results.filter((one) => one.state === 'refused') };
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['interrupts'] }),
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onDone([]);
    },
  });
  const { sent = [], refused = [] } = act.data ?? {};
  if (refused.length > 0)
    return (
      <Refused
        sent={sent}
        refused={refused}
        done={DONE[verb]}
        onClose={() => onDone(refused.map(({ id }) => id))}
      />
    );
  const choices = verb === 'snooze' ? snoozeChoices(new Date(), lastDeadline(items)) : [];
  const body = verb === 'claim' ? {} : { to, note };
  const send = () => {
    if (verb !== 'snooze' && !act.isPending && (verb === 'claim' || to !== null)) act.mutate(body);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${TITLES[verb]} ${counted(items.length)}`}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Stack gap="sm">
        {verb === 'snooze' ? (
          <Group gap="xs">
            {choices.length === 0 ? <Text size="sm">They end too soon to be snoozed.</Text> : null}
            {choices.map((choice, place) => (
              <Button
                key={choice.label}
                variant="default"
                data-autofocus={place === 0 || undefined}
                disabled={act.isPending}
                onClick={() => act.mutate({ until: choice.until.toISOString() })}
              >
                {choice.label}
              </Button>
            ))}
          </Group>
        ) : null}
        {verb === 'delegate' ? (
          <>
            <Select
              data-autofocus
              label="Ask to decide"
              placeholder="A person who may decide all of them"
              searchable
              data={everybodys(items)}
              value={to}
              onChange={setTo}
            />
            <TextInput
              label="Note"
              maxLength={1000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              onKeyDown={({ key, ctrlKey, metaKey }) => {
                if (key === 'Enter' && !ctrlKey && !metaKey) send();
              }}
            />
          </>
        ) : null}
        {act.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(act.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {verb === 'snooze' ? null : (
            <Button
              data-autofocus={verb === 'claim' || undefined}
              loading={act.isPending}
              disabled={verb === 'delegate' && to === null}
              onClick={send}
            >
              {TITLES[verb]}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Who may decide every one of the items. */
function everybodys(items: readonly Interrupt[]): { value: string; label: string }[] {
  const [first, ...rest] = items;
  return (first?.eligible ?? [])
    .filter((person) => rest.every((item) => item.eligible.some((one) => one.id === person.id)))
    .map((person) => ({ value: person.id, label: person.name }));
}
