import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/http/client.ts';
import {
  type OwnToolSource,
  sentDraft,
  sentOf,
} from '../../../api/http/workspace/tools/sources.ts';
import { SaveProblem, useSave } from '../SettingsSection.tsx';
import { DocumentFields } from './document/DocumentFields.tsx';
import { SentFields } from './SentFields.tsx';

const kinds = [
  { value: 'mcp_http', label: 'MCP server' },
  { value: 'openapi', label: 'API with a document' },
];
const explained: Record<string, string> = {
  mcp_http:
    'A server that offers tools to agents by itself. You look at each tool before it is used.',
  openapi:
    'A web API that is described by an OpenAPI document. You choose which calls become tools.',
};

/** Name a source of tools: an MCP server by its address, or an API by its document. */
export function AddSource({
  onDone,
  onAdded,
}: {
  onDone: () => void;
  onAdded: (source: OwnToolSource) => void;
}) {
  const [kind, setKind] = useState('mcp_http');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [document, setDocument] = useState({ url: '', text: '', file: '' });
  const [sent, setSent] = useState(sentDraft());
  const save = useSave(['tools'], async () => {
    const where =
      kind === 'mcp_http'
        ? { url: url.trim() }
        : document.text
          ? { document: document.text }
          : { document_url: document.url.trim() };
    onAdded(
      await api.post<OwnToolSource>('tool-sources/', {
        name: name.trim(),
        kind,
        ...where,
        ...sentOf(sent),
      }),
    );
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="Kind of source"
          fullWidth
          data={kinds}
          value={kind}
          onChange={setKind}
        />
        <Text size="sm" c="dimmed">
          {explained[kind]}
        </Text>
        <TextInput
          label="Name"
          description={`Its tools are called ${name.trim() || 'name'}/tool`}
          required
          withAsterisk={false}
          maxLength={32}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {kind === 'mcp_http' ? (
          <TextInput
            label="Address"
            placeholder="https://crm.example.com/mcp"
            required
            withAsterisk={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        ) : (
          <DocumentFields draft={document} onChange={setDocument} />
        )}
        <SentFields draft={sent} onChange={setSent} />
        <SaveProblem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {kind === 'mcp_http' ? 'Add' : 'Read the document'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
