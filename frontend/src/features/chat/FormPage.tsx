import { Alert, Button, Group, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { api, ApiError, messageOf } from '../../api/http/client.ts';
import type { Json, JsonObject, JsonSchema, RunSummary } from '../../api/types/types.ts';
import { useBell } from '../../api/live/useBell.ts';
import classes from './chat.module.css';
import { isOver, isRejected } from './turn.ts';
import { TurnView } from './TurnView.tsx';
import { Unpublished } from './Unpublished.tsx';
import { type Published, usePublished } from './usePublished.ts';
import { UseHeader } from './UseHeader.tsx';
import { useTurn } from './useTurn.ts';
import {
  type FieldValues,
  fieldsOf,
  inputsOf,
  readForm,
} from '../inbox/decide/fields/schemaFields.ts';
import { TypedForm } from '../inbox/decide/TypedForm.tsx';
import { RunContext } from '../../liverun/RunContext.ts';
import { ValueView } from '../../liverun/ValueView.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** `/workflows/:graphId/form`: fill in what a published workflow takes, and see what comes of it. */
export default function FormPage() {
  const { graphId = '' } = useParams();
  const found = usePublished(graphId);
  return found.published ? (
    <UseAsForm key={graphId} published={found.published} />
  ) : (
    <Unpublished found={found} />
  );
}

function defaultsOf(schema: JsonSchema | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).flatMap(([name, each]): [string, Json][] =>
      each.default === undefined ? [] : [[name, each.default]],
    ),
  );
}

/** What the server found wrong with the input, by field; what belongs to no field is told above the form. */
function refusedFields(error: unknown, names: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.problems
      .map((problem) => [problem.path.split('.').at(-1) ?? '', problem.message])
      .filter(([name]) => names.includes(name ?? '')),
  );
}

function UseAsForm({ published }: { published: Published }) {
  useBell('inbox', 'interrupts');
  const [params, setParams] = useSearchParams();
  const runId = params.get('run');
  const schema = published.version.document.interface?.inputs;
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [inputs, setInputs] = useState<FieldValues>(() => inputsOf(fields, defaultsOf(schema)));
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const start = useMutation({
    mutationFn: (input: Json) =>
      api.post<RunSummary>(
        `graphs/${published.graph.id}/runs/`,
        { input },
        { headers: { 'Idempotency-Key': crypto.randomUUID() } },
      ),
    onSuccess: (run) => setParams({ run: run.id }),
    onError: (error) =>
      setProblems(
        refusedFields(
          error,
          fields.map((field) => field.name),
        ),
      ),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(fields, inputs);
    setProblems(read.problems);
    if (Object.keys(read.problems).length === 0)
      start.mutate(fields.length > 0 ? read.values : text);
  };
  return (
    <div className={classes.page}>
      <UseHeader published={published} as="form" />
      <div className={classes.scroll}>
        <div className={classes.form}>
          <form
            className={classes.card}
            onSubmit={submit}
            aria-label="What it starts with"
            noValidate
          >
            {fields.length > 0 ? (
              <TypedForm
                fields={fields}
                values={inputs}
                problems={problems}
                onChange={(next) => {
                  setProblems({});
                  setInputs(next);
                }}
              />
            ) : (
              <Textarea
                label="Input"
                description="This workflow declares no fields: it starts with this text."
                minRows={4}
                maxRows={14}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
            {start.error ? (
              <Alert
                color="red"
                icon={<IconAlertTriangle size={16} />}
                title="This was not started"
              >
                {messageOf(start.error)}
              </Alert>
            ) : null}
            <Group>
              <Button
                type="submit"
                leftSection={<IconPlayerPlay size={16} />}
                loading={start.isPending}
                disabled={!published.graph.can.run}
              >
                {runId ? 'Run again' : 'Run'}
              </Button>
              {published.graph.can.run ? null : (
                <span className={classes.note}>Your role may not run workflows.</span>
              )}
            </Group>
          </form>
          {runId ? <Outcome key={runId} runId={runId} labels={published.labels} /> : null}
        </div>
      </div>
    </div>
  );
}

function Outcome({ runId, labels }: { runId: string; labels: Published['labels'] }) {
  const [turn, answered] = useTurn(runId);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = () =>
    void api
      .post(`runs/${turn.runId ?? runId}/cancel/`, { reason: 'stopped in the form' })
      .catch((error: unknown) => setProblem(messageOf(error)));
  const status = isRejected(turn)
    ? 'rejected'
    : turn.status === 'sending'
      ? 'queued'
      : turn.status === 'refused'
        ? 'failed'
        : turn.status;
  const said = turn.items.some((item) => item.kind === 'message');
  return (
    <section className={classes.outcome} aria-label="What came of it">
      <div className={classes.outcomeHead}>
        <h2>What came of it</h2>
        <StatusBadge status={status} />
        {isOver(turn) ? null : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            onClick={stop}
          >
            Stop
          </Button>
        )}
      </div>
      {problem && !isOver(turn) ? (
        <Alert color="red" title="It was not stopped">
          {problem}
        </Alert>
      ) : null}
      {turn.status === 'completed' && !(said && typeof turn.result === 'string') ? (
        <RunContext value={turn.runId}>
          <div className={classes.result}>
            <h3>Result</h3>
            <ValueView value={turn.result} />
          </div>
        </RunContext>
      ) : null}
      <TurnView turn={turn} labels={labels} onAnswered={answered} shown />
    </section>
  );
}
