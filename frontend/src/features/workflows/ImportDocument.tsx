import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import classes from './gallery.module.css';
import { ImportProblems } from './ImportProblems.tsx';
import { useNewGraph } from './useNewGraph.ts';

/** A document from elsewhere: pasted, chosen as a file, or dropped. */
export function ImportDocument({ document }: { document: string }) {
  const create = useNewGraph();
  const [text, setText] = useState(document);
  const [dragging, setDragging] = useState(false);
  const change = (next: string) => {
    setText(next);
    create.reset();
  };
  const read = (file: File | null | undefined) => void file?.text().then(change);
  const hold = (event: DragEvent, over: boolean) => {
    event.preventDefault();
    event.stopPropagation();
    setDragging(over);
  };
  return (
    <Stack
      className={classes.drop}
      data-dragging={dragging || undefined}
      onDragOver={(event) => hold(event, true)}
      onDragLeave={(event) => hold(event, false)}
      onDrop={(event) => {
        hold(event, false);
        read(event.dataTransfer.files[0]);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim())
          create.mutate({ document: text });
      }}
    >
      <Textarea
        label="Document"
        description="YAML or JSON, as Export writes it. Paste it, choose a file, or drop a file here."
        minRows={10}
        maxRows={18}
        value={text}
        classNames={{ input: 'gw-mono' }}
        data-autofocus
        spellCheck={false}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <ImportProblems error={create.error} />
      <Group justify="space-between">
        <FileButton onChange={read} accept=".yaml,.yml,.json,application/json,text/yaml">
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileUpload size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Button
          loading={create.isPending}
          disabled={!text.trim()}
          onClick={() => create.mutate({ document: text })}
        >
          Import
        </Button>
      </Group>
    </Stack>
  );
}
