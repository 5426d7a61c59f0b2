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
import { ReasonChips } from '../../decide/gesture/ReasonChips.tsx';
import type { HeldVerb } from '../../rhythm/machine.ts';
import { type Desk } from '../../rhythm/useDesk.ts';
import { commonReasons, counted, sorted } from './bulk.ts';
import classes from './bulk.module.css';
import { Compared } from './Compared.tsx';
import { Refused } from './Refused.tsx';
import { StayOut } from './StayOut.tsx';

interface DialogProps {
  items: readonly Interrupt[];
  verb: HeldVerb;
  courier: Desk['courier'];
  onClose: () => void;
}

/** Decide several approvals: what differs of them in a table, sums, and one reason for all. */
export function BulkDialog({ items, verb, courier, onClose }: DialogProps) {
  const { decided: approvals, out } = sorted(items, verb);
  const offered = verb === 'reject' ? commonReasons(approvals) : [];
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
      title={`${word} ${out.length > 0 ? `${approvals.length} of ` : ''}${counted(items.length)}?`}
      size="xl"
      classNames={{ body: classes.dialog, content: classes.content }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Stack gap="sm" className={classes.body}>
        <StayOut out={out} onClose={onClose} />
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
        <Compared items={approvals}>
          <AheadOfMany items={approvals} verb={verb} />
        </Compared>
      </Stack>
      <Stack gap="xs" className={classes.footer}>
        {offered.length > 0 ? (
          <ReasonChips offered={offered} text={comment} change={setComment} />
        ) : null}
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
