import {
  Alert,
  Button,
  Checkbox,
  Group,
  JsonInput,
  Modal,
  ScrollArea,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { IconAlertTriangle, IconGitFork, IconShieldLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import type {
  ForkPlan,
  Json,
  JsonObject,
  RunDetail,
  RunState,
  RunSummary,
} from '../../../api/types/types.ts';
import { addDecimal } from '../../../run/values/decimal.ts';
import { memoryPatch, startInput } from '../../../run/reading/forking.ts';
import { blobOf, brief } from '../../../run/values/json.ts';
import { labelOf } from '../../../run/reading/timeline.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { formatUsd } from '../../../ui/format/format.ts';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import classes from './forks.module.css';
import ui from '../../../ui/ui.module.css';

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

interface ForkDialogProps {
  run: RunDetail;
  from: string | number;
  startWithDraft?: boolean;
  note?: string;
  /** Where the new run is looked at; its own page without it. */
  onStarted?: ((run: RunSummary) => void) | undefined;
  onClose: () => void;
}

/** Where to go on, what to change, what that does, and the start. */
export function ForkDialog(props: ForkDialogProps) {
  const { run, from, startWithDraft = false, note, onStarted, onClose } = props;
  const [at, setAt] = useState(from);
  const plan = useQuery({
    queryKey: ['fork-plan', run.id, at],
    queryFn: () => api.get<ForkPlan>(`runs/${run.id}/fork-plan/`, { from: String(at) }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={startWithDraft ? 'Run from here' : 'Fork this run'}
      size="lg"
    >
      {note ? (
        <Alert color="gray" icon={<IconShieldLock size={18} />} mb="md">
          {note}
        </Alert>
      ) : null}
      {plan.error ? <ErrorState error={plan.error} onRetry={() => void plan.refetch()} /> : null}
      {!plan.data && !plan.error ? <ListSkeleton rows={5} /> : null}
      {plan.data ? (
        <Form
          key={plan.data.from.seq}
          run={run}
          plan={plan.data}
          startWithDraft={startWithDraft}
          onStarted={onStarted}
          onAt={setAt}
          onClose={onClose}
        />
      ) : null}
    </Modal>
  );
}

function useLabels(run: RunDetail) {
  const labels = new Map(run.document.nodes.map((node) => [node.id, node.label || node.id]));
  return ({ key }: { key: string }) => labelOf(key, (id) => labels.get(id) ?? id);
}

function Form({
  run,
  plan,
  startWithDraft,
  onStarted,
  onAt,
  onClose,
}: {
  run: RunDetail;
  plan: ForkPlan;
  startWithDraft: boolean;
  onStarted: ForkDialogProps['onStarted'];
  onAt: (at: string) => void;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const label = useLabels(run);
  const state = useQuery({
    queryKey: ['run-state', run.id, plan.from.seq - 1],
    queryFn: () => api.get<RunState>(`runs/${run.id}/state/`, { seq: plan.from.seq - 1 }),
    staleTime: Infinity,
  });
  const memory: JsonObject = state.data?.memory ?? {};
  const [edited, setEdited] = useState<string | null>(null);
  const [input, setInput] = useState<string | null>(null);
  const [draft, setDraft] = useState(startWithDraft);
  const [resend, setResend] = useState(false);
  const barred = plan.earliest_with_changes;
  const patch = edited === null || barred ? {} : memoryPatch(memory, edited);
  const given = input === null || barred ? null : startInput(run.input, input);
  const start = useMutation({
    mutationFn: () =>
      api.post<RunSummary>(`runs/${run.id}/fork/`, {
        from: plan.from.key,
        memory: patch ?? {},
        ...(given ? { input: given.value } : {}),
        draft: draft && !barred,
        resend,
      }),
    onSuccess: (next) => {
      onClose();
      if (onStarted) onStarted(next);
      else void navigate(`/runs/${next.id}`);
    },
  });
  const ready = patch !== null && given !== undefined && (plan.resent.length === 0 || resend);
  return (
    <Stack gap="md">
      <Select
        label="Go on from"
        data={plan.points.map((point) => ({ value: point.key, label: label(point) }))}
        value={plan.from.key}
        allowDeselect={false}
        searchable
        onChange={(key) => key && onAt(key)}
      />
      {barred ? (
        <Alert
          color="gray"
          icon={<IconShieldLock size={18} />}
          title="An approval was given before this point"
        >
          It was given for what the run had then, so from here nothing can be changed. With changes
          a fork starts at {label(barred)} or before.
          <Button mt="xs" size="xs" variant="default" onClick={() => onAt(barred.key)}>
            Start at {label(barred)}
          </Button>
        </Alert>
      ) : (
        <>
          <Switch
            label="Use the draft as it is now"
            description={
              run.is_draft
                ? 'Otherwise the workflow as it was when this run began.'
                : `Otherwise version ${run.version ?? '?'}, which this run used.`
            }
            checked={draft}
            onChange={(event) => setDraft(event.currentTarget.checked)}
          />
          <StartInput
            before={run.input}
            text={input}
            wrong={given === undefined}
            onChange={setInput}
          />
          <JsonInput
            label="Memory at this point"
            description="Change what you like; other keys stay as they were."
            autosize
            minRows={3}
            maxRows={12}
            formatOnBlur
            validationError="This is no JSON object"
            disabled={!state.data}
            value={edited ?? JSON.stringify(memory, null, 2)}
            error={patch === null ? 'This is no JSON object' : undefined}
            onChange={setEdited}
            classNames={{ input: 'gw-mono' }}
          />
          {patch && Object.keys(patch).length > 0 ? (
            <Text size="xs" c="dimmed">
              Changes {Object.keys(patch).join(', ')}.
            </Text>
          ) : null}
        </>
      )}
      <PlanView plan={plan} label={label} resend={resend} onResend={setResend} />
      {start.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(start.error)}
        </Text>
      ) : null}
      <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          leftSection={<IconGitFork size={16} />}
          disabled={!ready}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          Start the fork
        </Button>
      </Group>
    </Stack>
  );
}

interface StartInputProps {
  before: Json;
  text: string | null;
  wrong: boolean;
  onChange: (text: string) => void;
}

/** What the run was started with, to be changed; a text as it is, everything else as JSON. */
function StartInput({ before, text, wrong, onChange }: StartInputProps) {
  if (blobOf(before) !== null) return null;
  const common = { label: 'Start input', autosize: true, minRows: 1, maxRows: 8 };
  if (typeof before === 'string')
    return (
      <Textarea
        {...common}
        value={text ?? before}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <JsonInput
      {...common}
      value={text ?? JSON.stringify(before, null, 2)}
      error={wrong ? 'This is no JSON' : undefined}
      onChange={onChange}
      classNames={{ input: 'gw-mono' }}
    />
  );
}

interface PlanProps {
  plan: ForkPlan;
  label: (place: { key: string }) => string;
  resend: boolean;
  onResend: (on: boolean) => void;
}

function PlanView({ plan, label, resend, onResend }: PlanProps) {
  const cost = plan.again.reduce((sum, entry) => addDecimal(sum, entry.usd), '0');
  return (
    <section aria-label="Plan" className={classes.plan}>
      <div>
        <h3>Reused, costs nothing</h3>
        <p>
          {plan.reused.length === 0
            ? 'Nothing: it starts anew.'
            : plan.reused.map(label).join(', ')}
        </p>
      </div>
      <div>
        <h3>Runs again{Number(cost) > 0 ? `, cost ${formatUsd(cost)} last time` : ''}</h3>
        <p>{plan.again.map(label).join(', ')}</p>
      </div>
      {plan.resent.length > 0 ? (
        <Alert
          color="orange"
          icon={<IconAlertTriangle size={18} />}
          title={`${counted(plan.resent.length, 'call')} would be sent again`}
        >
          <ScrollArea.Autosize mah={160} type="auto">
            <ul className={classes.calls}>
              {plan.resent.map((call, index) => (
                <li key={`${call.key}${index}`}>
                  <strong>{call.tool}</strong> at {label(call)}{' '}
                  <span className={classes.quiet}>
                    {call.effect_class}, {call.outcome} last time
                  </span>
                  <div className={`${classes.quiet} gw-mono gw-truncate`}>
                    {brief(call.arguments, 140)}
                  </div>
                </li>
              ))}
            </ul>
          </ScrollArea.Autosize>
          <Checkbox
            mt="sm"
            label="Send them again"
            checked={resend}
            onChange={(event) => onResend(event.currentTarget.checked)}
          />
        </Alert>
      ) : null}
    </section>
  );
}
