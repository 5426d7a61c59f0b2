import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../../../api/http/client.ts';
import { findModels, type FoundModels } from '../../../../api/http/workspace/models.ts';

const NAMED = 6;

/** What a server lists, in a sentence. */
export function foundText({ models, more, problem }: FoundModels): string {
  if (problem !== '') return `No models were found: ${problem}.`;
  if (models.length === 0) return 'It lists no models: name those that you use.';
  const named = models.slice(0, NAMED).join(', ');
  const rest = models.length - NAMED;
  const count = `${models.length}${more ? ' and more' : ''} ${models.length === 1 ? 'model' : 'models'}`;
  return `${count}: ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Whether an address is this machine, and somebody has to say that it is meant. */
export const needsAccepting = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'AddressNeedsAcceptance';

const refusalText = (error: Error): string =>
  needsAccepting(error) ? 'Accept its address below, then look again.' : messageOf(error);

/** Ask a server which models it has, before it is added. */
export function FindModels({
  server,
  onAsked,
}: {
  server: Parameters<typeof findModels>[0];
  onAsked: () => void;
}) {
  const find = useMutation({
    mutationFn: findModels,
    onError: (error) => {
      if (needsAccepting(error)) onAsked();
    },
  });
  const failed = find.error !== null || (find.data?.problem ?? '') !== '';
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        disabled={server.base_url === ''}
        loading={find.isPending}
        onClick={() => find.mutate(server)}
      >
        Find models
      </Button>
      {find.error || find.data ? (
        <Text size="sm" mt={6} role="status" c={failed ? 'red' : undefined}>
          {find.error ? refusalText(find.error) : find.data ? foundText(find.data) : null}
        </Text>
      ) : null}
    </div>
  );
}
