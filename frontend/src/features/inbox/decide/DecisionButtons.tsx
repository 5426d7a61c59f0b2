import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { use, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { confirm, type Question } from '../../../ui/confirm.tsx';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { type Verb, answerFields, editsOf, needsReason, reasonsOf } from './answer.ts';
import classes from '../inbox.module.css';
import { isToolCall } from '../names.ts';
import { mayHaveHappened } from './doubt/outcome.ts';
import { ConfirmVerbs } from './gesture/ConfirmVerbs.tsx';
import { type VerbProps, VerbButton } from './gesture/VerbButton.tsx';
import { pressOf, RefusedContext, useConductor, useRhythm } from '../rhythm/conductor.ts';
import { otherAt } from './rights/claimed.ts';
import { PlaceChoice } from './rights/PlaceChoice.tsx';
import { ReasonChips } from './gesture/ReasonChips.tsx';
import type { DecisionControl } from './useDecision.ts';

/** The ways to decide an item, with the field for a reason, and what went wrong last time. */
export function DecisionButtons({ control, hints }: VerbProps) {
  const { item, error } = control;
  return (
    <footer className={classes.verbs}>
      {error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(error)}
        </Text>
      ) : null}
      <p role="status" className={classes.refused}>
        {use(RefusedContext)}
      </p>
      <PlaceChoice control={control} />
      {item.kind === 'approval' ? (
        <ApprovalVerbs control={control} hints={hints} />
      ) : (
        <OtherVerbs control={control} hints={hints} />
      )}
    </footer>
  );
}

function Comment({
  control,
  of = 'comment',
  label,
  required,
  focus = false,
}: {
  control: DecisionControl;
  of?: 'comment' | 'reason';
  label: string;
  required: boolean;
  focus?: boolean;
}) {
  const { draft, problems, change } = control;
  const field = useRef<HTMLTextAreaElement>(null);
  // A draft that one comes back to leaves the keys to the list.
  const isAlone = useConductor() === null;
  const isCalled = useRhythm((state) => state.phase !== 'look') || isAlone;
  useEffect(() => {
    if (focus && isCalled) field.current?.focus();
  }, [focus, isCalled]);
  return (
    <Textarea
      ref={field}
      label={label}
      withAsterisk={required}
      minRows={1}
      maxRows={5}
      value={draft[of]}
      error={problems.comment}
      onChange={(event) => change({ [of]: event.currentTarget.value })}
    />
  );
}

function remaining({ quorum }: Interrupt): string {
  const left = quorum?.remaining ?? 1;
  return left === 1 ? 'one more approval' : `${left} more approvals`;
}

/** Whether it was true once: a field in which something was written stays. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return now || once;
}

function ApprovalVerbs({ control, hints }: VerbProps) {
  const { item, mode, resting, draft, change, setMode, leave, discardEdits } = control;
  const hasComment = useOnce(draft.comment !== '');
  const isCall = isToolCall(item);
  const offered = reasonsOf(item);
  const reject = isCall ? 'Refuse' : 'Reject';
  const key = (keys: string) => (hints ? keys : undefined);
  const other = otherAt(item, useSession().data?.user?.id);
  if (mode === 'reject') {
    return (
      <Stack gap="xs">
        {other ? (
          <Text size="sm" role="alert" fw={500}>
            {other} is at it. {reject} anyway?
          </Text>
        ) : null}
        <ReasonChips
          offered={offered}
          text={draft.reason}
          change={(reason) => change({ reason })}
        />
        <Comment
          control={control}
          of="reason"
          label={isCall ? 'Reason, which the agent reads' : 'Reason'}
          required={needsReason(item, 'reject')}
          focus
        />
        <Group gap="xs">
          <VerbButton
            control={control}
            verb="reject"
            label={other ? `${reject} anyway` : reject}
            look="danger"
            keys={key('Mod+Enter')}
          />
          <Button variant="subtle" color="gray" onClick={leave}>
            Back
          </Button>
        </Group>
      </Stack>
    );
  }
  if (item.my_decision === 'approved') {
    return (
      <Group gap="sm">
        <Text size="sm" role="status">
          You approved. It waits for {remaining(item)}.
        </Text>
        <VerbButton
          control={control}
          verb="reject"
          label={`${reject} after all`}
          look="danger"
          keys={key('R')}
          onClick={(event) => setMode('reject', pressOf(event))}
        />
      </Group>
    );
  }
  if (mode === 'confirm') return <ConfirmVerbs control={control} hints={hints} />;
  const changed = mode === 'edit' ? Object.keys(editsOf(item, draft).edits).length : 0;
  const label =
    changed > 0 ? `Approve with ${changed} ${changed === 1 ? 'edit' : 'edits'}` : 'Approve';
  return (
    <Stack gap="xs">
      {mode === 'edit' || hasComment || needsReason(item, 'approve') ? (
        <Comment
          control={control}
          label="Comment"
          required={needsReason(item, 'approve')}
          focus={mode === 'reason'}
        />
      ) : null}
      {draft.reason === '' ? null : (
        <Text size="xs" c="dimmed">
          What you wrote as a reason is kept for a rejection. It does not go with an approval.
        </Text>
      )}
      {resting && hints ? (
        <Text size="xs" c="dimmed">
          Nothing is decided yet. Your edits are kept
          <span className={classes.ofKeys}>
            : <Kbd keys="A" /> approves with them, <Kbd keys="E" /> goes on editing
          </span>
          .
        </Text>
      ) : null}
      <Group gap="xs">
        <VerbButton
          control={control}
          verb="approve"
          label={label}
          look="main"
          keys={key(mode === 'look' || resting ? 'A' : 'Mod+Enter')}
        />
        {mode === 'edit' ? (
          <Button variant="subtle" color="gray" onClick={discardEdits}>
            Discard edits
          </Button>
        ) : null}
        {mode !== 'edit' && answerFields(item).length > 0 ? (
          <Button
            variant="default"
            rightSection={hints ? <Kbd keys="E" /> : undefined}
            onClick={(event) => setMode('edit', pressOf(event))}
          >
            Edit
          </Button>
        ) : null}
        {mode !== 'edit' ? (
          <VerbButton
            control={control}
            verb="reject"
            label={reject}
            look="danger"
            keys={key('R')}
            onClick={(event) => setMode('reject', pressOf(event))}
          />
        ) : null}
      </Group>
    </Stack>
  );
}

/** Ask first: what follows cannot be taken back. */
export async function confirmDecision(control: DecisionControl, verb: Verb): Promise<void> {
  const texts: Partial<Record<Verb, Question>> = {
    stop: {
      title: 'Stop this run?',
      text: 'The run fails here with its budget used up. Finished work is kept.',
      confirm: 'Stop the run',
    },
    retry: {
      title: 'Send it again?',
      text: 'If the first call did happen, it happens twice. Check the other side first.',
      confirm: 'Send again',
    },
    cancel: {
      title: 'Cancel the run?',
      text: 'The question is closed and the run ends. This cannot be undone.',
      confirm: 'Cancel the run',
      cancel: 'Keep running',
    },
  };
  const question = texts[verb];
  if (question === undefined || (await confirm({ ...question, danger: true })))
    control.submit(verb);
}

/** Limits that many runs share are raised by admins alone; everyone else may stop the run. */
function Raise({ control, keys }: { control: DecisionControl; keys: string | undefined }) {
  const { data: session } = useSession();
  const { level } = control.item.request;
  const shared = level === 'graph' || level === 'workspace';
  if (!shared || session?.workspace?.role === 'admin')
    return (
      <VerbButton control={control} verb="raise" label="Raise the limit" look="main" keys={keys} />
    );
  return (
    <Text size="sm" c="dimmed" flex="1 1 220px">
      Only an admin may raise the budget of {level === 'graph' ? 'a workflow' : 'the workspace'}.
    </Text>
  );
}

function OtherVerbs({ control, hints }: VerbProps) {
  const keys = hints ? 'Mod+Enter' : undefined;
  const ask = (verb: Verb) => () => void confirmDecision(control, verb);
  switch (control.item.kind) {
    case 'budget':
      return (
        <Group gap="xs">
          <Raise control={control} keys={keys} />
          <VerbButton
            control={control}
            verb="stop"
            label="Stop the run"
            look="danger"
            keys={hints ? 'R' : undefined}
            onClick={ask('stop')}
          />
        </Group>
      );
    case 'in_doubt':
      return mayHaveHappened(control.item) ? (
        <Group gap="xs">
          <VerbButton
            control={control}
            verb="happened"
            label="It happened"
            look="main"
            keys={keys}
          />
          <VerbButton control={control} verb="retry" label="Send it again" onClick={ask('retry')} />
          <VerbButton control={control} verb="skip" label="Skip the step" />
        </Group>
      ) : (
        <Group gap="xs">
          <VerbButton control={control} verb="retry" label="Try it again" look="main" keys={keys} />
          <VerbButton control={control} verb="skip" label="Skip the step" />
        </Group>
      );
    default:
      return (
        <Group gap="xs">
          <VerbButton control={control} verb="send" label="Answer" look="main" keys={keys} />
          <VerbButton
            control={control}
            verb="cancel"
            label="Cancel the run"
            look="danger"
            onClick={ask('cancel')}
          />
        </Group>
      );
  }
}
