import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import type { Json, RunDetail, RunStart, RunSummary } from '../../../api/types/types.ts';
import { blobOf } from '../../../run/values/json.ts';

/** What starts a run like this one anew: the draft where it was one, else the version that is live. */
export function startLike(run: RunDetail, input: Json): RunStart {
  return {
    input,
    ...(run.is_draft ? { draft: true } : {}),
    ...(run.until ? { until: run.until } : {}),
  };
}

/** The input of a run, whole: a large one is fetched. */
async function inputOf(run: RunDetail): Promise<Json> {
  const blob = blobOf(run.input);
  return blob ? api.get<Json>(`runs/${run.id}/blobs/${blob.$blob}/`) : run.input;
}

/** Starts the workflow once more with the same input, and goes to the new run. */
export function RunAgain({ run }: { run: RunDetail }) {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: async () =>
      api.post<RunSummary>(`graphs/${run.graph.id}/runs/`, startLike(run, await inputOf(run)), {
        headers: { 'Idempotency-Key': crypto.randomUUID() },
      }),
    onSuccess: (next) => void navigate(`/runs/${next.id}`),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  return (
    <Tooltip
      label={`The same input, with ${run.is_draft ? 'the draft as it is now' : 'the version that is live'}`}
    >
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} />}
        loading={start.isPending}
        onClick={() => start.mutate()}
      >
        Run again
      </Button>
    </Tooltip>
  );
}
