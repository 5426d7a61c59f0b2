import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { leadOf, titleOf } from '../names.ts';
import { snoozeChoices } from '../people.ts';

interface AsideProps {
  items: readonly Interrupt[];
  verb: 'snooze' | 'claim' | 'delegate';
  onClose: () => void;
  onDone: () => void;
}

const TITLES = { snooze: 'Snooze', claim: 'Claim', delegate: 'Delegate' };

/** Snooze, claim or delegate what is picked: one after the other, telling what did not work. */
export function BulkAside({ items, verb, onClose, onDone }: AsideProps) {
  const client = useQueryClient();
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const act = useMutation({
    mutationFn: async (body: Record<string, unknown>) => {
      const failed: string[] = [];
      for (const item of items)
        await api
          .post(`interrupts/${item.request_id}/${verb}/`, body)
          .catch((error: unknown) => failed.push(`${leadOf(titleOf(item))}: ${messageOf(error)}`));
      return failed;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['interrupts'] }),
    onSuccess: (failed) => {
      if (failed.length === 0) onDone();
    },
  });
  const [first] = items
    .map((item) => item.expires_at)
    .filter((at) => at !== null)
    .toSorted();
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${TITLES[verb]} ${items.length} ${items.length === 1 ? 'item' : 'items'}`}
    >
      <Stack gap="sm">
        {verb === 'snooze' ? (
          <Group gap="xs">
            {snoozeChoices(new Date(), first ?? null).map((choice, place) => (
              <Button
                key={choice.label}
                variant="default"
                data-autofocus={place === 0 || undefined}
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
            />
          </>
        ) : null}
        {act.data && act.data.length > 0 ? (
          <Text size="sm" c="red" role="alert">
            {act.data.join(' ')}
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
              onClick={() => act.mutate(verb === 'claim' ? {} : { to, note })}
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
