import {
  Button,
  Group,
  Popover,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import type { GraphDetail } from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import classes from '../editor.module.css';

export interface AboutWords {
  name: string;
  description: string;
  tags: string[];
}

const MOST_TAGS = 20;

/** The fields about a workflow, saved at once and not as part of the draft's undo. */
function Form({
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
          onChange={(tags) => setWords({ ...words, tags: tags.map((tag) => tag.slice(0, 40)) })}
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

/** The workflow's name; a click changes it, its description and its tags. */
export function About({
  graphId,
  start,
  readOnly,
}: {
  graphId: string;
  start: AboutWords;
  readOnly: boolean;
}) {
  const [about, setAbout] = useState(start);
  const [open, setOpen] = useState(false);
  const name = <span className="gw-truncate">{about.name}</span>;
  if (readOnly) return <h1 className={`${classes.name} gw-truncate`}>{about.name}</h1>;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={320}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <h1 className={classes.name}>
          <Tooltip label={about.description || 'Name, description and tags'} multiline maw={320}>
            <UnstyledButton
              className={classes.nameButton}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {name}
            </UnstyledButton>
          </Tooltip>
        </h1>
      </Popover.Target>
      <Popover.Dropdown aria-label="About this workflow">
        {open ? (
          <Form
            graphId={graphId}
            about={about}
            onDone={(next) => {
              if (next) setAbout(next);
              setOpen(false);
            }}
          />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
