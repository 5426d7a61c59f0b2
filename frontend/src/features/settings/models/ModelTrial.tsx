import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { ModelTrial } from '../../../api/types/types.ts';

const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** What a test of a model is told as: that it works and what it said, once in quotes, or why it does not. */
export function words(trial: ModelTrial): string {
  if (!trial.ok) return trial.message;
  const first =
    trial.first_token_ms === null ? '' : `first token after ${seconds(trial.first_token_ms)}, `;
  const said = trial.message.replace(/^["“„]|["“”]$/g, '');
  return `It works and answered “${said}”: ${first}all of it after ${seconds(trial.total_ms)}.`;
}

/** Ask a model one short question, and hear of it. */
export const useTrial = (model: string) =>
  useTest(model, () => api.post<ModelTrial>('models/trial/', { model }));

/** Ask one of a provider's models one short question, and hear of it. */
export const useProviderTrial = (id: string, label: string) =>
  useTest(label, () => api.post<ModelTrial>(`models/providers/${id}/test/`));

function useTest(model: string, ask: () => Promise<ModelTrial>) {
  const client = useQueryClient();
  const trial = useMutation({
    mutationFn: ask,
    onSuccess: () => client.invalidateQueries({ queryKey: modelsQuery.queryKey }),
  });
  const failed = trial.error ? messageOf(trial.error) : null;
  const said = failed ?? (trial.data ? words(trial.data) : null);
  const ok = trial.data?.ok === true && failed === null;
  return {
    button: (
      <Button
        variant="default"
        size="xs"
        loading={trial.isPending}
        onClick={() => trial.mutate()}
        aria-label={`Test ${model}`}
      >
        Test
      </Button>
    ),
    result:
      said === null ? null : (
        <Text size="xs" role="status" c={ok ? undefined : 'red'}>
          {said}
        </Text>
      ),
  };
}
