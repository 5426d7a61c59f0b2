import { Button, Group, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import type { GraphDetail } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import type { AboutWords } from './About.tsx';

const MOST_TAGS = 20;

/** Tags as they are kept: parted at commas, without spaces around them, none empty, each once. */
const tagsOf = (typed: readonly string[]): string[] => [
  ...new Set(
    typed
      .flatMap((tag) => tag.split(','))
      .map((tag) => tag.trim().slice(0, 40))
      .filter(Boolean),
  ),
];

/** The fields about a workflow, saved at once and not as part of the draft's undo. */
export function AboutForm({
  graphId,
  about,
  onDone,
}: {
  graphId: string;
  about: AboutWords;
  onDone: (next: AboutWords | null) => void;
}) {
  const client = useQueryClient();
  const [words, setWords] = useState(about);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // it comes late: the popover has looked for it before
    first.current?.focus();
    first.current?.select();
  }, []);
  const save = useMutation({
    mutationFn: () => api.patch<GraphDetail>(`graphs/${graphId}/`, words),
    onSuccess: ({ name, description, tags }) => {
      const { head } = useEditor.getState();
      useEditor.setState({ head: { ...head, name, description } });
      document.title = `${name} · Graphwright`;
      void client.invalidateQueries({ queryKey: ['graphs'] });
      onDone({ name, description, tags });
    },
  });
  const nameless = words.name.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!nameless) save.mutate();
      }}
    >
      <Stack gap={10}>
        <TextInput
          size="xs"
          label="Name"
          ref={first}
          data-autofocus
          maxLength={200}
          value={words.name}
          error={nameless ? 'A workflow has a name.' : undefined}
          onChange={(event) => setWords({ ...words, name: event.currentTarget.value })}
        />
        <Textarea
          size="xs"
          label="Description"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={words.description}
          onChange={(event) => setWords({ ...words, description: event.currentTarget.value })}
        />
        <TagsInput
          size="xs"
          label="Tags"
          placeholder={words.tags.length === 0 ? 'Type and press Enter' : ''}
          maxTags={MOST_TAGS}
          value={words.tags}
          onChange={(tags) => setWords({ ...words, tags: tagsOf(tags) })}
        />
        {save.error ? (
          <Text size="xs" c="red" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap={6}>
          <Button size="xs" variant="default" onClick={() => onDone(null)}>
            Cancel
          </Button>
          <Button size="xs" type="submit" disabled={nameless} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
