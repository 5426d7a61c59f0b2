import { Button, Group, Modal, Select, Stack, Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { graphsQuery } from '../../api/http/queries.ts';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { ImportDocument } from './ImportDocument.tsx';
import { ImportProblems } from './ImportProblems.tsx';
import { useNewGraph } from './useNewGraph.ts';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const DescribeNew = lazyOnDemand(() => import('./DescribeNew.tsx'));
const TemplateGallery = lazyOnDemand(() => import('./TemplateGallery.tsx'));

export type NewTab = 'blank' | 'describe' | 'template' | 'copy' | 'import';
interface NewWorkflowProps {
  tab: NewTab | null;
  document?: string;
  onTab: (tab: NewTab | null) => void;
}

/** The ways to begin: an empty graph, a template, a copy, or a document from elsewhere. */
export function NewWorkflow({ tab, document, onTab }: NewWorkflowProps) {
  const [looking, setLooking] = useState(false);
  const go = (next: NewTab | null) => {
    setLooking(false);
    onTab(next);
  };
  return (
    <Modal
      opened={tab !== null}
      onClose={() => go(null)}
      title="New workflow"
      size={tab === 'template' ? 1120 : 'lg'}
      closeOnEscape={!looking}
    >
      <Tabs value={tab} onChange={(value) => go(value as NewTab)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="blank">Blank</Tabs.Tab>
          <Tabs.Tab value="describe">Describe it</Tabs.Tab>
          <Tabs.Tab value="template">From a template</Tabs.Tab>
          <Tabs.Tab value="copy">Copy</Tabs.Tab>
          <Tabs.Tab value="import">Import</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="blank">
          <Blank />
        </Tabs.Panel>
        <Tabs.Panel value="describe">
          <Suspense fallback={<CardSkeleton />}>
            <DescribeNew />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="template">
          <Suspense fallback={<CardSkeleton />}>
            <TemplateGallery onLook={setLooking} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="copy">
          <Copy />
        </Tabs.Panel>
        <Tabs.Panel value="import">
          <ImportDocument key={document} document={document ?? ''} />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

function Blank() {
  const create = useNewGraph();
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) create.mutate({ name: name.trim() });
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          placeholder="Support triage"
          maxLength={200}
          value={name}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ImportProblems error={create.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Copy() {
  const create = useNewGraph();
  const { data: graphs } = useQuery(graphsQuery());
  const [id, setId] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (id) create.mutate({ duplicate_of: id });
      }}
    >
      <Stack>
        <Select
          label="Workflow"
          description="Its draft as it is now; runs and versions stay where they are."
          placeholder="Choose a workflow"
          searchable
          nothingFoundMessage="No such workflow"
          data-autofocus
          data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
          value={id}
          onChange={setId}
        />
        <ImportProblems error={create.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={!id}>
            Copy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
