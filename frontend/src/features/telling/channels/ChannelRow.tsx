import { ActionIcon, Button, Group, Modal, Switch, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Channel,
  changeChannel,
  deleteChannel,
  newChannelSecret,
  testChannel,
} from '../../../api/http/workspace/telling.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { useTelling } from '../useTelling.ts';
import { CHANNELS, quietText, troubleOf } from '../words.ts';
import { ChannelForm } from './ChannelForm.tsx';
import { CodeForm } from './CodeForm.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import classes from '../telling.module.css';

/** One channel: what it is, how it stands, a test, its switch, and its end. */
export function ChannelRow({ channel }: { channel: Channel }) {
  const { mutate, isPending } = useTelling(channel.of);
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [failed, setFailed] = useState('');
  const trouble = failed ? `The test did not arrive: ${failed}` : troubleOf(channel);
  const isProven = channel.verified_at !== null;
  const asksCode = channel.of === 'me' && !isProven;
  const sends = channel.code_until ? 'Send another code' : 'Send a code';
  const remove = async () => {
    const title = `Remove “${channel.name}”?`;
    const text = 'Nothing is told there any more. Its rules and what was told there go, too.';
    if (await confirm({ title, text, confirm: 'Remove', danger: true }))
      mutate(() => deleteChannel(channel.id));
  };
  const rotate = async () => {
    const title = `Another secret for “${channel.name}”?`;
    const text = 'For a day calls are signed with both, so that the program can change over.';
    if (await confirm({ title, text, confirm: 'Make another' }))
      mutate(async () => setSecret((await newChannelSecret(channel.id)).secret));
  };
  const test = () =>
    mutate(async () => {
      const { arrived, reason } = await testChannel(channel.id);
      setFailed(arrived ? '' : reason);
      notifications.show(
        arrived
          ? {
              color: 'green',
              title: asksCode ? 'A code is on its way' : 'It arrived',
              message: channel.name,
            }
          : { color: 'red', title: 'It did not arrive', message: reason },
      );
    });
  const facts = [CHANNELS[channel.kind].label, channel.hint, quietText(channel)].filter(Boolean);
  return (
    <li>
      <div className={classes.rowMain}>
        <b>{channel.name}</b>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {trouble ? (
          <Text size="sm" className={classes.trouble}>
            {trouble}
          </Text>
        ) : null}
        {asksCode && channel.code_until ? <CodeForm channel={channel} /> : null}
      </div>
      <Group gap="xs" className={classes.rowTools}>
        <Button
          variant="default"
          size="compact-sm"
          disabled={isPending}
          onClick={test}
          aria-label={asksCode ? `${sends} to ${channel.name}` : `Test ${channel.name}`}
        >
          {asksCode ? sends : 'Test'}
        </Button>
        {isProven ? (
          <Switch
            aria-label={`${channel.name} is on`}
            checked={channel.on}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              mutate(() => changeChannel(channel.id, { on }));
            }}
          />
        ) : null}
        {channel.kind === 'webhook' ? (
          <Tooltip label="Another secret">
            <ActionIcon
              aria-label={`Another secret for ${channel.name}`}
              onClick={() => void rotate()}
            >
              <IconKey size={16} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        <Tooltip label="Change">
          <ActionIcon aria-label={`Change ${channel.name}`} onClick={() => setEditing(true)}>
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Remove">
          <ActionIcon aria-label={`Remove ${channel.name}`} onClick={() => void remove()}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Modal opened={editing} onClose={() => setEditing(false)} title={`Change ${channel.name}`}>
        {editing ? (
          <ChannelForm
            of={channel.of}
            channel={channel}
            onDone={() => setEditing(false)}
            onCancel={() => setEditing(false)}
          />
        ) : null}
      </Modal>
      <Modal opened={secret !== null} onClose={() => setSecret(null)} title="Secret of the webhook">
        {secret ? <SecretOnce secret={secret} onDone={() => setSecret(null)} /> : null}
      </Modal>
    </li>
  );
}
