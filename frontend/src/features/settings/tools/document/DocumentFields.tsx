import { Button, FileButton, Group, Text, Textarea, TextInput } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';

/** Where the description of an API comes from. */
export interface DocumentDraft {
  url: string;
  text: string;
  file: string;
}

/** The OpenAPI document of an API: by its address, as a file, or pasted. */
export function DocumentFields({
  draft,
  onChange,
}: {
  draft: DocumentDraft;
  onChange: (draft: DocumentDraft) => void;
}) {
  const read = (file: File | null) =>
    void file?.text().then((text) => onChange({ url: '', text, file: file.name }));
  return (
    <>
      <TextInput
        label="Address of the document"
        description="An OpenAPI 3 document, as JSON or YAML. It can be fetched again later"
        placeholder="https://api.example.com/openapi.json"
        value={draft.url}
        disabled={draft.text !== ''}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
      <Group gap="sm">
        <FileButton onChange={read} accept=".yaml,.yml,.json,application/json,text/yaml">
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileUpload size={16} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {draft.file ? (
          <>
            <Text size="sm">{draft.file}</Text>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => onChange({ url: '', text: '', file: '' })}
            >
              Take it out
            </Button>
          </>
        ) : null}
      </Group>
      {draft.file ? null : (
        <Textarea
          label="Or paste it"
          minRows={3}
          maxRows={8}
          autosize
          spellCheck={false}
          classNames={{ input: 'gw-mono' }}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      )}
    </>
  );
}
