import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay, IconPlayerStop, IconPlayerTrackNext } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api, messageOf } from '../../../../api/http/client.ts';
import classes from '../testrun.module.css';

const WAYS = [
  { decision: 'continue', label: 'Continue', all: 'Continue all', icon: IconPlayerPlay },
  { decision: 'step', label: 'Step', all: null, icon: IconPlayerTrackNext },
  { decision: 'stop', label: 'Stop', all: 'Stop the run', icon: IconPlayerStop },
] as const;

interface GoOnProps {
  runId: string;
  /** The breakpoint that is gone on from, or all of them at once. */
  requestIds: readonly string[];
  /** Whether the run stands at others too: to stop it is then not offered at each. */
  amongOthers?: boolean;
}

/** The ways on from a breakpoint, or from all at which a run stands. */
export function GoOn({ runId, requestIds, amongOthers = false }: GoOnProps) {
  const isAll = requestIds.length > 1;
  const go = useMutation({
    mutationFn: async (decision: string) => {
      // to stop ends the run: said once it is said for all
      const asked = decision === 'stop' ? requestIds.slice(0, 1) : requestIds;
      for (const request_id of asked)
        await api.post(`runs/${runId}/breakpoint/`, { request_id, decision });
    },
    onError: (reason) =>
      notifications.show({ color: 'red', title: 'It stands still', message: messageOf(reason) }),
  });
  const ways = WAYS.filter(({ all, decision }) =>
    isAll ? all !== null : !(amongOthers && decision === 'stop'),
  );
  return (
    <div
      className={`${classes.goOn} nodrag nopan`}
      role="group"
      aria-label={isAll ? 'At all breakpoints' : 'At the breakpoint'}
    >
      {ways.map(({ decision, label, all, icon: Glyph }) => (
        <Button
          key={decision}
          size="compact-xs"
          variant={decision === 'continue' && !(amongOthers && !isAll) ? 'filled' : 'default'}
          leftSection={<Glyph size={13} aria-hidden />}
          loading={go.isPending && go.variables === decision}
          disabled={go.isPending}
          onClick={(event) => {
            event.stopPropagation();
            go.mutate(decision);
          }}
        >
          {(isAll && all) || label}
        </Button>
      ))}
    </div>
  );
}

interface HeldProps {
  runId: string;
  held: readonly { requestId: string; node: string }[];
  label: (node: string) => string;
  onNode: (id: string) => void;
}

/** Where a run stands: before one card, or before several, from which it goes on at once or one by one. */
export function Held({ runId, held, label, onNode }: HeldProps) {
  const amongOthers = held.length > 1;
  return (
    <section className={classes.ask} aria-label="Breakpoints">
      {amongOthers ? (
        <div className={classes.held}>
          <GoOn runId={runId} requestIds={held.map(({ requestId }) => requestId)} />
        </div>
      ) : null}
      {held.map(({ requestId, node }) => (
        <div key={requestId} className={amongOthers ? classes.oneOf : undefined}>
          <button type="button" className={classes.link} onClick={() => onNode(node)}>
            Stands before {label(node)}
          </button>
          <div className={classes.held}>
            <GoOn runId={runId} requestIds={[requestId]} amongOthers={amongOthers} />
          </div>
        </div>
      ))}
      <p className={`${classes.quiet} ${classes.held}`}>
        It waits here for an hour, then the run ends.
      </p>
    </section>
  );
}
