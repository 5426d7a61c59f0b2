import { Autocomplete, Button, Group, Modal, MultiSelect, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import { foldersQuery } from '../../../api/http/workspace/folders.ts';
import { mistakeIn } from './paths.ts';

/** What is asked: where some workflows go, or what a folder is called. */
export interface FolderQuestion {
  title: string;
  text: string;
  send: string;
  folder: string;
  /** The workflows that are chosen at first, where it is asked which ones. */
  among?: readonly string[];
  /** Do it: while this fails, the question stays with what was written. */
  onAnswer: (folder: string, graphs: readonly string[]) => Promise<unknown>;
}

interface FolderDialogProps {
  question: FolderQuestion;
  onClose: () => void;
}

const LONGEST = 400;

/** Asks for a folder: one that is there, a new one, or none. */
export default function FolderDialog({ question, onClose }: FolderDialogProps) {
  const { data: folders = [] } = useQuery(foldersQuery);
  const [folder, setFolder] = useState(question.folder);
  const [graphs, setGraphs] = useState<readonly string[]>(question.among ?? []);
  const answer = useMutation({
    mutationFn: () => question.onAnswer(folder.trim(), graphs),
    onSuccess: onClose,
  });
  const mistake = mistakeIn(folder);
  const isEmpty = question.among !== undefined && (folder.trim() === '' || graphs.length === 0);
  return (
    <Modal opened onClose={onClose} title={question.title} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!mistake && !isEmpty && !answer.isPending) answer.mutate();
        }}
      >
        <Stack>
          <Autocomplete
            label="Folder"
            description={question.text}
            placeholder="Support/Refunds"
            maxLength={LONGEST}
            data-autofocus
            data={folders.map(({ path }) => path)}
            value={folder}
            error={mistake || (answer.error ? messageOf(answer.error) : null)}
            onChange={(now) => {
              setFolder(now);
              answer.reset();
            }}
          />
          {question.among ? <Among chosen={graphs} onChange={setGraphs} /> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={mistake !== '' || isEmpty} loading={answer.isPending}>
              {question.send}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Which workflows go into it: a folder without any would be none. */
function Among({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const { data: graphs = [] } = useQuery(graphsQuery());
  return (
    <MultiSelect
      label="Workflows in it"
      description="A folder is there as long as something lies in it."
      searchable
      hidePickedOptions
      limit={50}
      maxValues={200}
      data={graphs.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...chosen]}
      onChange={onChange}
    />
  );
}
