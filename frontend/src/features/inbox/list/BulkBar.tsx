import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { inWords } from '../../../run/values/json.ts';
import { buildAnswer, emptyDraft, needsReason } from '../decide/answer.ts';
import { titleOf } from '../names.ts';
import standing from '../item/item.module.css';

type BulkVerb = 'approve' | 'reject';
interface BulkBarProps {
  items: readonly Interrupt[];
  clear: () => void;
}

/** What can be done with the picked items; nothing is sent before they were all shown once more. */
export function BulkBar({ items, clear }: BulkBarProps) {
  const [verb, setVerb] = useState<BulkVerb | null>(null);
  if (items.length === 0) return null;
  return (
    <div className={standing.bulk} role="group" aria-label="Picked items">
      <span>{items.length} picked</span>
      <Button size="compact-sm" onClick={() => setVerb('approve')}>
        Approve
      </Button>
      <Button size="compact-sm" variant="light" color="red" onClick={() => setVerb('reject')}>
        Reject
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
      {verb ? (
        <BulkDialog items={items} verb={verb} onClose={() => setVerb(null)} onDone={clear} />
      ) : null}
    </div>
  );
}

const counted = (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`;

interface DialogProps {
  items: readonly Interrupt[];
  verb: BulkVerb;
  onClose: () => void;
  onDone: () => void;
}

function BulkDialog({ items, verb, onClose, onDone }: DialogProps) {
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const needed = items.some((item) => needsReason(item, verb));
  const decide = useMutation({
    mutationFn: () => decideAll(items, verb, comment),
    onSettled: () => client.invalidateQueries({ queryKey: ['interrupts'] }),
    onSuccess: (failures) => {
      const done = items.length - failures.length;
      const said = `${counted(done)} ${verb === 'approve' ? 'approved' : 'rejected'}`;
      notifications.show(
        failures.length === 0
          ? { message: said }
          : {
              color: 'red',
              title: said,
              message: `${failures.length} not: ${[...new Set(failures)].join(' ')}`,
              autoClose: false,
            },
      );
      onDone();
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${verb === 'approve' ? 'Approve' : 'Reject'} ${counted(items.length)}?`}
      size="lg"
    >
      <Stack gap="sm">
        <ol className={standing.bulkList}>
          {items.map((item) => (
            <li key={item.request_id}>
              <b>{titleOf(item)}</b>
              <span>{inWords(item.request.data, 260)}</span>
            </li>
          ))}
        </ol>
        <Textarea
          label={verb === 'reject' ? 'Reason' : 'Comment'}
          withAsterisk={needed}
          autosize
          minRows={1}
          maxRows={5}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          Each is decided by itself, for exactly what is shown here. One whose content has changed,
          or that somebody decided first, stays as it is.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color={verb === 'reject' ? 'red' : undefined}
            disabled={needed && comment.trim() === ''}
            loading={decide.isPending}
            onClick={() => decide.mutate()}
          >
            {verb === 'approve' ? 'Approve all' : 'Reject all'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Decide one after the other; gives why some were not decided. */
async function decideAll(
  items: readonly Interrupt[],
  verb: BulkVerb,
  comment: string,
): Promise<string[]> {
  const failures: string[] = [];
  for (const item of items) {
    const { answer, problems } = buildAnswer(item, verb, { ...emptyDraft(item), comment });
    try {
      if (answer === null) failures.push(Object.values(problems).join(' '));
      else await api.post(`interrupts/${item.request_id}/answer/`, answer);
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  return failures;
}
