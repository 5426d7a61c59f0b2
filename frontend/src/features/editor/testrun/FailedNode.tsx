import { Alert, Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import type { ForkPoint, RunDetail } from '../../../api/types/types.ts';
import type { WireError } from '../../../run/fold/events.ts';
import { nodeLabel } from '../../runs/views/canvasViews.ts';
import { ErrorText } from '../../../ui/format/ErrorText.tsx';
import { RetryButton, TooLateDialog } from '../../runs/control/RetryButton.tsx';
import { type Retried, retryRun } from '../../runs/control/retryRun.ts';
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

/** Go on from the failed node with the cured draft; null: a new field of the start is entered first. */
async function retryCured(run: RunDetail, cure: RunCure): Promise<Retried | null> {
  cure.apply();
  if (cure.asks) {
    showTab('input');
    return null;
  }
  await saveForRun();
  return retryRun(run.id, 'draft', (id) => nodeLabel(run.document, id));
}

interface CuredRetryProps extends ButtonProps {
  run: RunDetail;
  cure: RunCure | null;
}

/** The button of a cure, and the dialog where an approval was given before the failed node: it stays when the cure is no longer needed. */
function CuredRetry({ run, cure, ...button }: CuredRetryProps) {
  const [late, setLate] = useState<ForkPoint | null>(null);
  const next = ({ id }: { id: string }) => attach(id, { only: run.only });
  const retry = useMutation({
    mutationFn: async () => cure && retryCured(run, cure),
    onSuccess: (done) => {
      if (done === null) return;
      if ('next' in done) next(done.next);
      else setLate(done.earliest);
    },
    onError: (reason) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(reason) }),
  });
  return (
    <>
      {cure ? (
        <Button
          {...button}
          loading={retry.isPending}
          onClick={(event) => {
            event.stopPropagation();
            retry.mutate();
          }}
        >
          {cure.asks ? cure.words : `${cure.words} and retry`}
        </Button>
      ) : null}
      {late ? (
        <TooLateDialog run={run} late={late} onNext={next} onClose={() => setLate(null)} />
      ) : null}
    </>
  );
}

/** The cure of a failed node and a retry with it, as one button; nothing where there is none. */
export function CureButton({ run, node }: { run: RunDetail; node: string }) {
  const problems = useEditor((state) => state.problems);
  if (!run.can.retry) return null;
  const cure = cureOf(curable(problems, node));
  return <CuredRetry run={run} cure={cure} size="compact-xs" className="nodrag nopan" />;
}

/** Why the run failed, with the ways on from there. */
export function FailedNode({ test: { run }, error, onNode }: FailedNodeProps) {
  const at = error.node ?? null;
  const label = at && run ? nodeLabel(run.document, at) : null;
  const problems = useEditor((state) => state.problems);
  const cure = at ? cureOf(curable(problems, at)) : null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={16} />}
      title={label ? `“${label}” failed` : 'The run failed'}
    >
      <ErrorText text={cure && error.code === 'MissingReference' ? cure.why : error.message} />
      <div className={classes.cures}>
        {run?.can.retry ? <CuredRetry size="xs" run={run} cure={cure} /> : null}
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
