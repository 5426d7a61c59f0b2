import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay, IconPlayerStop, IconPlayerTrackNext } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api, messageOf } from '../../../../api/http/client.ts';
import classes from '../testrun.module.css';

const WAYS = [
  { decision: 'continue', label: 'Continue', icon: IconPlayerPlay },
  { decision: 'step', label: 'Step', icon: IconPlayerTrackNext },
  { decision: 'stop', label: 'Stop', icon: IconPlayerStop },
] as const;

interface GoOnProps {
  runId: string;
  requestId: string;
}

/** The three ways on from a breakpoint. */
export function GoOn({ runId, requestId }: GoOnProps) {
  const go = useMutation({
    mutationFn: (decision: string) =>
      api.post(`runs/${runId}/breakpoint/`, { request_id: requestId, decision }),
    onError: (reason) =>
      notifications.show({ color: 'red', title: 'It stands still', message: messageOf(reason) }),
  });
  return (
    <div className={`${classes.goOn} nodrag nopan`} role="group" aria-label="At the breakpoint">
      {WAYS.map(({ decision, label, icon: Glyph }) => (
        <Button
          key={decision}
          size="compact-xs"
          variant={decision === 'continue' ? 'filled' : 'default'}
          leftSection={<Glyph size={13} aria-hidden />}
          loading={go.isPending && go.variables === decision}
          disabled={go.isPending}
          onClick={(event) => {
            event.stopPropagation();
            go.mutate(decision);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
