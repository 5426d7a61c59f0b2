import { Button, Modal } from '@mantine/core';
import { IconBroadcast, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelsQuery, type NewChannel, type Of } from '../../../api/http/workspace/telling.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { Part } from '../Part.tsx';
import { ChannelForm } from './ChannelForm.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import { SecretOnce } from './SecretOnce.tsx';
import classes from '../telling.module.css';

const TITLES: Record<Of, string> = {
  me: 'Where you are told besides mail',
  workspace: 'Where this workspace tells people and programs',
};
const TEXTS: Record<Of, string> = {
  me: 'Each place is a channel. A code that is sent there shows that it is yours.',
  workspace: 'Each place is a channel; rules below say what is told in it.',
};

/** The channels: where something is told, whether it arrives, and when it is quiet. */
export function ChannelList({ of }: { of: Of }) {
  const { data, error, refetch } = useQuery(channelsQuery(of));
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<NewChannel | null>(null);
  const close = () => {
    setOpen(false);
    setMade(null);
  };
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      Add a channel
    </Button>
  );
  return (
    <Part title={TITLES[of]} text={TEXTS[of]} action={data?.length ? add : null}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={2} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconBroadcast}
          title="No channels yet"
          text={
            of === 'me'
              ? 'Slack, Teams, Discord, Telegram, ntfy or another mail address.'
              : 'Slack, Teams, Discord, Telegram, ntfy, mail, or a signed webhook for a program.'
          }
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="Channels">
          {data.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </ul>
      ) : null}
      <Modal opened={open} onClose={close} title={made ? 'Secret of the webhook' : 'New channel'}>
        {open && !made ? (
          <ChannelForm
            of={of}
            onCancel={close}
            onDone={(channel) => {
              if (channel && 'secret' in channel && channel.secret) setMade(channel);
              else close();
            }}
          />
        ) : null}
        {made?.secret ? <SecretOnce secret={made.secret} onDone={close} /> : null}
      </Modal>
    </Part>
  );
}
