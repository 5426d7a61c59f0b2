import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/http/client.ts';
import {
  type OwnToolSource,
  ownSourceQuery,
  sentDraft,
  sentOf,
} from '../../../api/http/workspace/tools/sources.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { SaveProblem, useSave } from '../SettingsSection.tsx';
import { SentFields } from './SentFields.tsx';

/** Change where a source is and what is sent to it. */
export function ChangeSource({ name, onDone }: { name: string; onDone: () => void }) {
  const { data, error, refetch } = useQuery(ownSourceQuery(name));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <ChangeForm known={data} onDone={onDone} /> : <ListSkeleton rows={3} />;
}

function ChangeForm({ known, onDone }: { known: OwnToolSource; onDone: () => void }) {
  const [url, setUrl] = useState(known.url);
  const [sent, setSent] = useState(sentDraft(known));
  const save = useSave(
    ['tools'],
    async () =>
      api.patch(`tool-sources/${known.name}/`, {
        ...(url.trim() === known.url ? {} : { url: url.trim() }),
        ...sentOf(sent),
      }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={known.kind === 'openapi' ? 'Server that is called' : 'Address'}
          required
          withAsterisk={false}
          value={url}
          data-autofocus
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <SentFields draft={sent} onChange={setSent} />
        <SaveProblem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
