import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { messageOf } from '../../../../api/http/client.ts';
import { useSession } from '../../../../api/http/queries.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import { AheadOfMany } from '../../ahead/AheadOfMany.tsx';
import { claimedText } from '../../decide/rights/claimed.ts';
import { placesText } from '../../decide/rights/place.ts';
import { needsReason } from '../../decide/answer.ts';
import type { HeldVerb } from '../../rhythm/machine.ts';
import { type Desk } from '../../rhythm/useDesk.ts';
import { counted, isForMany } from './bulk.ts';
import classes from './bulk.module.css';
import { Compared } from './Compared.tsx';
import { Refused } from './Refused.tsx';

interface DialogProps {
  items: readonly Interrupt[];
  verb: HeldVerb;
  courier: Desk['courier'];
  onClose: () => void;
}

/** More than one request takes. */
const MOST = 500;

/** Decide several approvals: what differs of them in a table, sums, and one reason for all. */
export function BulkDialog({ items, verb, courier, onClose }: DialogProps) {
  const approvals = items.filter((item) => isForMany(item, verb)).slice(0, MOST);
  const [comment, setComment] = useState('');
  const me = useSession().data?.user?.id;
  const places = placesText(approvals, me);
  const claimed = claimedText(approvals, me);
  const needed = approvals.some((item) => needsReason(item, verb));
  const decide = useMutation({
    mutationFn: async () => {
      const sent = approvals;
      const results = await courier.sendMany(sent, verb, comment.trim());
      return { sent, refused: results.filter((one) => one.state === 'refused') };
    },
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onClose();
    },
  });
  const { sent = [], refused = [] } = decide.data ?? {};
  const isMissing = needed && comment.trim() === '';
  const send = () => {
    if (!isMissing && !decide.isPending && approvals.length > 0) decide.mutate();
  };
  const word = verb === 'approve' ? 'Approve' : 'Reject';
  if (refused.length > 0)
    return <Refused refused={refused} sent={sent} done="decided" onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${word} ${counted(approvals.length)}?`}
      size="xl"
      classNames={{ body: classes.dialog, content: classes.content }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Stack gap="sm" className={classes.body}>
        {approvals.length < items.length ? (
          <Text size="sm" c="dimmed">
            {counted(items.length - approvals.length)} of what is picked stay as they are: they are
            no approvals, have to be approved one by one, or are more than one request takes.
          </Text>
        ) : null}
        {places ? (
          <Text size="sm" fw={500}>
            {places}
          </Text>
        ) : null}
        {claimed ? (
          <Text size="sm" fw={500} role="alert">
            {claimed}
          </Text>
        ) : null}
        <Compared items={approvals} />
        <AheadOfMany items={approvals} verb={verb} />
      </Stack>
      <Stack gap="xs" className={classes.footer}>
        <Textarea
          data-autofocus
          label={verb === 'reject' ? 'Reason' : 'Comment'}
          withAsterisk={needed}
          autosize
          minRows={1}
          maxRows={5}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {decide.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(decide.error)}
          </Text>
        ) : null}
        <Text size="xs" c="dimmed">
          Each is decided by itself, as shown here. One that has changed since, or that somebody
          decided first, stays as it is.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color={verb === 'reject' ? 'red' : undefined}
            disabled={isMissing || approvals.length === 0}
            loading={decide.isPending}
            rightSection={
              <span className={classes.keys}>
                <Kbd keys="Mod+Enter" />
              </span>
            }
            onClick={send}
          >
            {word} all
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
