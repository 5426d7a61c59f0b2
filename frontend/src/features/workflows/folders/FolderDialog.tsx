import { Autocomplete, Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersQuery } from '../../../api/http/workspace/folders.ts';

/** What is asked: where some workflows go, or what a folder is called. */
export interface FolderQuestion {
  title: string;
  text: string;
  send: string;
  folder: string;
  onAnswer: (folder: string) => void;
}

interface FolderDialogProps {
  question: FolderQuestion;
  onClose: () => void;
}

const LONGEST = 122;

/** Asks for a folder: one that is there, a new one, or none. */
export default function FolderDialog({ question, onClose }: FolderDialogProps) {
  const { data: folders = [] } = useQuery(foldersQuery);
  const [folder, setFolder] = useState(question.folder);
  return (
    <Modal opened onClose={onClose} title={question.title} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          question.onAnswer(folder.trim());
          onClose();
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
            onChange={setFolder}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">{question.send}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
