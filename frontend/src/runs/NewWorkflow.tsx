import { Alert, Button, FileButton, Group, Modal, SimpleGrid, Stack, Tabs, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconFileUpload, IconTemplate } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, api, messageOf } from '../api/client.ts';
import { templatesQuery } from '../api/lists.ts';
import type { GraphDetail } from '../api/types.ts';
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx';
import { CardSkeleton } from '../ui/Skeletons.tsx';
import classes from './pages.module.css';

/** What `POST /api/graphs/` takes. */
export type NewGraph = { name: string } | { document: string } | { template: string } | { duplicate_of: string };

/** Make a graph and open it in the editor. */
export function useNewGraph() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: NewGraph) => api.post<GraphDetail>('graphs/', body),
    onSuccess: (graph) => {
      void client.invalidateQueries({ queryKey: ['graphs'] });
      void navigate(`/workflows/${graph.id}`);
    },
  });
}

export type NewTab = 'blank' | 'template' | 'import';
interface NewWorkflowProps { tab: NewTab | null; document?: string; onTab: (tab: NewTab | null) => void }

/** The ways to begin: an empty graph, a template, or a document from elsewhere. */
export function NewWorkflow({ tab, document, onTab }: NewWorkflowProps) {
  return (
    <Modal opened={tab !== null} onClose={() => onTab(null)} title="New workflow" size="lg">
      <Tabs value={tab} onChange={(value) => onTab(value as NewTab)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="blank">Blank</Tabs.Tab>
          <Tabs.Tab value="template">From a template</Tabs.Tab>
          <Tabs.Tab value="import">Import</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="blank"><Blank /></Tabs.Panel>
        <Tabs.Panel value="template"><Templates /></Tabs.Panel>
        <Tabs.Panel value="import"><Import key={document} document={document ?? ''} /></Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

function Problems({ error }: { error: unknown }) {
  if (!error) return null;
  const problems = error instanceof ApiError ? error.problems : [];
  return (
    <Alert color="red" icon={<IconAlertTriangle size={16} />} title={messageOf(error)} role="alert">
      {problems.slice(0, 8).map((problem) => <Text key={`${problem.path}${problem.code}`} size="sm"><span className="gw-mono">{problem.path}</span> {problem.message}</Text>)}
      {problems.length > 8 ? <Text size="sm">and {problems.length - 8} more</Text> : null}
    </Alert>
  );
}

function Blank() {
  const create = useNewGraph();
  const [name, setName] = useState('');
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (name.trim()) create.mutate({ name: name.trim() }); }}>
      <Stack>
        <TextInput label="Name" placeholder="Support triage" value={name} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
        <Problems error={create.error} />
        <Group justify="flex-end"><Button type="submit" loading={create.isPending} disabled={!name.trim()}>Create</Button></Group>
      </Stack>
    </form>
  );
}

function Templates() {
  const create = useNewGraph();
  const { data, error, refetch } = useQuery(templatesQuery);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <CardSkeleton />;
  if (data.length === 0) return <EmptyState icon={IconTemplate} title="No templates here" />;
  return (
    <Stack>
      <Problems error={create.error} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {data.map((template) => (
          <UnstyledButton key={template.id} className={classes.card} disabled={create.isPending} onClick={() => create.mutate({ template: template.id })}>
            <b>{template.name}</b>
            <Text size="sm" c="dimmed">{template.description}</Text>
            <span className={classes.tags}>{template.node_types.map((type) => <span key={type} className={classes.tag}>{type}</span>)}</span>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Import({ document }: { document: string }) {
  const create = useNewGraph();
  const [text, setText] = useState(document);
  const read = (file: File | null) => void file?.text().then(setText);
  return (
    <Stack>
      <Textarea label="Document" description="YAML or JSON, as Export writes it. Paste it, choose a file, or drop a file anywhere on the page of workflows." minRows={8} maxRows={16} value={text} classNames={{ input: 'gw-mono' }} data-autofocus onChange={(event) => setText(event.currentTarget.value)} />
      <Problems error={create.error} />
      <Group justify="space-between">
        <FileButton onChange={read} accept=".yaml,.yml,.json,application/json,text/yaml">
          {(props) => <Button {...props} variant="default" leftSection={<IconFileUpload size={16} />}>Choose a file</Button>}
        </FileButton>
        <Button loading={create.isPending} disabled={!text.trim()} onClick={() => create.mutate({ document: text })}>Import</Button>
      </Group>
    </Stack>
  );
}
