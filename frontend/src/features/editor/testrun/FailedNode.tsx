import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../api/http/client.ts';
import type { RunDetail } from '../../../api/types/types.ts';
import type { WireError } from '../../../run/fold/events.ts';
import { nodeLabel } from '../../runs/views/canvasViews.ts';
import { ErrorText } from '../../../ui/format/ErrorText.tsx';
import { RetryButton } from '../../runs/control/RetryButton.tsx';
import { retryRun } from '../../runs/control/retryRun.ts';
import { useEditor } from '../../../store/editor.ts';
import { type RunCure, curable, cureOf } from './cures.ts';
import { attach, saveForRun, showTab } from './testing.ts';
import classes from './testrun.module.css';
import type { SeenRun } from './useTestRun.ts';

interface FailedNodeProps {
  test: SeenRun;
  error: WireError;
  onNode: (id: string) => void;
}

/** Go on from the failed node with the cured draft; a new field of the start is entered first. */
async function retryCured(run: RunDetail, cure: RunCure): Promise<void> {
  cure.apply();
  if (cure.asks) return showTab('input');
  await saveForRun();
  const done = await retryRun(run.id, 'draft', (id) => nodeLabel(run.document, id));
  if (done === null) return;
  if ('next' in done) attach(done.next.id, { only: run.only });
  else
    throw new Error(
      `An approval was given before this node. Run from “${nodeLabel(run.document, done.earliest.node)}” on, so that it is asked again.`,
    );
}

/** The cure of a failed node and a retry with it, as one button; nothing where there is none. */
export function CureButton({ run, node }: { run: RunDetail; node: string }) {
  const problems = useEditor((state) => state.problems);
  const cure = run.can.retry ? cureOf(curable(problems, node)) : null;
  const retry = useCuredRetry(run, cure);
  if (!cure) return null;
  return (
    <Button
      size="compact-xs"
      className="nodrag nopan"
      loading={retry.isPending}
      onClick={(event) => {
        event.stopPropagation();
        retry.mutate();
      }}
    >
      {wordsOf(cure)}
    </Button>
  );
}

const wordsOf = ({ words, asks }: RunCure): string => (asks ? words : `${words} and retry`);

const useCuredRetry = (run: RunDetail | null, cure: RunCure | null) =>
  useMutation({
    mutationFn: async () => run && cure && (await retryCured(run, cure)),
    onError: (reason) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(reason) }),
  });

/** Why the run failed, with the ways on from there. */
export function FailedNode({ test: { run }, error, onNode }: FailedNodeProps) {
  const at = error.node ?? null;
  const label = at && run ? nodeLabel(run.document, at) : null;
  const problems = useEditor((state) => state.problems);
  const cure = at ? cureOf(curable(problems, at)) : null;
  const retry = useCuredRetry(run, cure);
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={16} />}
      title={label ? `“${label}” failed` : 'The run failed'}
    >
      <ErrorText text={cure && error.code === 'MissingReference' ? cure.why : error.message} />
      <div className={classes.cures}>
        {run?.can.retry && cure ? (
          <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate()}>
            {wordsOf(cure)}
          </Button>
        ) : null}
        {run?.can.retry ? (
          <RetryButton
            size="xs"
            run={run}
            before={saveForRun}
            onNext={(next) => attach(next.id, { only: run.only })}
          />
        ) : null}
        {at ? (
          <Button size="xs" variant="subtle" onClick={() => onNode(at)}>
            Show the node
          </Button>
        ) : null}
      </div>
    </Alert>
  );
}
