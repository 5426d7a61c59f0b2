import { ActionIcon, Anchor, Switch, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Trigger } from '../../api/http/runs/triggers.ts';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { Deliveries } from './came/Deliveries.tsx';
import { KindIcon } from './canvas/KindIcon.tsx';
import { EventForm } from './events/EventForm.tsx';
import { heardOf } from './events/eventWords.ts';
import { Mapping } from './Mapping.tsx';
import { ScheduleForm } from './times/ScheduleForm.tsx';
import { TryIt } from './came/TryIt.tsx';
import { useTrigger } from './useTrigger.ts';
import { AnswerOf } from './webhook/AnswerField.tsx';
import { WebhookAddress } from './webhook/WebhookAddress.tsx';
import { signatureOf } from './words.ts';
import classes from './triggers.module.css';

export interface Rights {
  edit: boolean;
  run: boolean;
}

/** What kind of trigger it is, and of which sort. */
function kindOf(trigger: Trigger): string {
  if (trigger.kind === 'event') return heardOf(trigger);
  return trigger.kind === 'webhook' ? `Webhook, ${signatureOf(trigger)?.label ?? ''}` : 'Schedule';
}

interface PartProps {
  trigger: Trigger;
  can: Rights;
}

/** What a trigger is, how it fares, its switch, and its end. */
export function TriggerHead({ trigger, can, onRemoved }: PartProps & { onRemoved?: () => void }) {
  const { change, remove } = useTrigger(trigger, onRemoved);
  const ask = async () => {
    const text = `Nothing calls it any more, and what came in is forgotten. The runs that it started stay.`;
    const title = `Remove “${trigger.name}”?`;
    if (await confirm({ title, text, confirm: 'Remove', danger: true })) remove();
  };
  return (
    <header className={classes.head}>
      <KindIcon kind={trigger.kind} size={20} />
      <div className={classes.title}>
        <h2>{trigger.name}</h2>
        <p>
          {kindOf(trigger)} ·{' '}
          {trigger.last_at ? (
            <>
              last started a run <RelativeTime at={trigger.last_at} />
            </>
          ) : (
            'has started nothing yet'
          )}{' '}
          ·{' '}
          {trigger.next_at ? (
            <>
              next <RelativeTime at={trigger.next_at} /> ·{' '}
            </>
          ) : null}
          <Anchor component={Link} to={`/runs?trigger=${trigger.id}`} inherit underline="always">
            its runs
          </Anchor>
        </p>
      </div>
      <Switch
        label={trigger.on ? 'On' : 'Off'}
        aria-label={`${trigger.name} is on`}
        checked={trigger.on}
        disabled={!can.edit && !(can.run && trigger.on)}
        title={can.edit || (can.run && trigger.on) ? undefined : 'Authors switch this on'}
        onChange={(event) => change({ on: event.currentTarget.checked })}
      />
      {can.edit ? (
        <Tooltip label="Remove">
          <ActionIcon aria-label={`Remove ${trigger.name}`} onClick={() => void ask()}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </header>
  );
}

/** When it starts something and with what; `secret` is the one that was just made. */
export function Settings({ trigger, can, secret }: PartProps & { secret: string | null }) {
  return (
    <section className={classes.part}>
      {trigger.kind === 'webhook' ? (
        <>
          <WebhookAddress trigger={trigger} canEdit={can.edit} made={secret} />
          <AnswerOf trigger={trigger} canEdit={can.edit} />
        </>
      ) : null}
      {trigger.kind === 'schedule' ? <ScheduleForm trigger={trigger} canEdit={can.edit} /> : null}
      {trigger.kind === 'event' ? <EventForm trigger={trigger} canEdit={can.edit} /> : null}
      <Mapping trigger={trigger} canEdit={can.edit} />
    </section>
  );
}

/** What came in, and a test. */
export function Came({ trigger, can }: PartProps) {
  return (
    <section className={classes.part}>
      <Deliveries trigger={trigger} canRun={can.run} />
      {can.run ? <TryIt trigger={trigger} /> : null}
    </section>
  );
}
