import { Button, Group, Stack, TagsInput, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { api, messageOf } from '../../api/http/client.ts';
import {
  entitiesQuery,
  type FactDetail,
  type FactDraft,
  factQuery,
  factsKey,
  factTagsQuery,
} from '../../api/http/workspace/facts.ts';

/** The list of known names opens upwards, so that it never covers Save. */
const upwards = {
  clearable: true,
  maxDropdownHeight: 180,
  comboboxProps: { position: 'top' },
} as const;

interface FactFormProps {
  known: FactDetail | null;
  onDone: (fact: FactDetail) => void;
  onCancel: () => void;
}

/** Write a fact, or correct a known one. Mod+Enter saves, Escape gives up. */
export function FactForm({ known, onDone, onCancel }: FactFormProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<FactDraft>({
    text: known?.text ?? '',
    tags: known?.tags ?? [],
    entities: known?.entities ?? [],
  });
  const { data: tags } = useQuery(factTagsQuery);
  const { data: entities } = useQuery(entitiesQuery(''));
  const save = useMutation({
    mutationFn: () =>
      known
        ? api.patch<FactDetail>(`facts/${known.id}/`, draft)
        : api.post<FactDetail>('facts/', draft),
    onSuccess: async (fact) => {
      client.setQueryData(factQuery(fact.id).queryKey, fact);
      await client.invalidateQueries({ queryKey: factsKey });
      onDone(fact);
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (draft.text.trim() !== '') save.mutate();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
    const closesList =
      event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && !closesList) onCancel();
  };
  return (
    <form
      onSubmit={submit}
      onKeyDown={keys}
      aria-label={known ? 'Correct the fact' : 'Write a fact'}
    >
      <Stack gap="sm">
        <Textarea
          label="Fact"
          description="One sentence that can be understood on its own."
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          autoFocus
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
        />
        <TagsInput
          label="Tags"
          description="A memory query finds facts by exactly these."
          data={tags?.map((each) => each.tag) ?? []}
          value={draft.tags}
          onChange={(value) => setDraft({ ...draft, tags: value })}
          {...upwards}
        />
        <TagsInput
          label="About"
          description="People, companies and things; facts of the same ones are linked."
          data={entities?.results.map((each) => each.name) ?? []}
          value={draft.entities}
          onChange={(value) => setDraft({ ...draft, entities: value })}
          {...upwards}
        />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={draft.text.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
