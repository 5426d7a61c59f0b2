import { Alert, Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconRefresh, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ToolSource,
  type ToolSources,
  toolSourcesQuery,
} from '../../../api/http/workspace/tools/tools.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { SettingsSection } from '../SettingsSection.tsx';
import { AddSource } from './AddSource.tsx';
import { ChangeSource } from './ChangeSource.tsx';
import { ConnectSource } from './connect/ConnectSource.tsx';
import { ChooseOperations } from './document/ChooseOperations.tsx';
import { SkillList } from './SkillList.tsx';
import { SourceCard } from './SourceCard.tsx';
import type { SourceVerb } from './SourceMenu.tsx';
import { useComeBack } from './connect/useComeBack.ts';
import { useSourceVerbs } from './useSourceVerbs.ts';

type Open = { verb: 'add' } | { verb: 'choose' | 'change' | 'connect'; name: string } | null;

/** Where tools come from, what this workspace agreed to of them and set. */
export function ToolSettings({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch, isFetching } = useQuery(toolSourcesQuery);
  const [open, setOpen] = useState<Open>(null);
  useComeBack();
  const actions = (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        loading={isFetching}
        onClick={() => void refetch()}
      >
        Look again
      </Button>
      {canEdit ? (
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ verb: 'add' })}>
          Add a source
        </Button>
      ) : null}
    </Group>
  );
  return (
    <SettingsSection
      title="Tools"
      text="What agents and workflows may call. Nothing of a server is used before it is accepted here."
      action={actions}
    >
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data ? <Sources data={data} canEdit={canEdit} onOpen={setOpen} /> : null}
      <SkillList />
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === null ? '' : titleOf(open)}
        size={open?.verb === 'choose' ? 'lg' : 'md'}
      >
        {open?.verb === 'add' ? (
          <AddSource
            onDone={() => setOpen(null)}
            onAdded={({ kind, name }) =>
              setOpen(kind === 'openapi' ? { verb: 'choose', name } : null)
            }
          />
        ) : null}
        {open?.verb === 'choose' ? (
          <ChooseOperations name={open.name} onDone={() => setOpen(null)} />
        ) : null}
        {open?.verb === 'connect' ? (
          <ConnectSource name={open.name} onDone={() => setOpen(null)} />
        ) : null}
        {open?.verb === 'change' ? (
          <ChangeSource name={open.name} onDone={() => setOpen(null)} />
        ) : null}
      </Modal>
    </SettingsSection>
  );
}

const titleOf = (open: NonNullable<Open>): string =>
  open.verb === 'add'
    ? 'Add a source of tools'
    : open.verb === 'choose'
      ? `Calls of ${open.name}`
      : open.verb === 'connect'
        ? `Connect ${open.name}`
        : `Change ${open.name}`;

function Sources({
  data,
  canEdit,
  onOpen,
}: {
  data: ToolSources;
  canEdit: boolean;
  onOpen: (open: Open) => void;
}) {
  const { refresh, remove, disconnect } = useSourceVerbs();
  const onVerb = (verb: SourceVerb, { name }: ToolSource) => {
    if (verb === 'refresh') refresh(name);
    else if (verb === 'remove') void remove(name);
    else if (verb === 'disconnect') void disconnect(name);
    else onOpen({ verb, name });
  };
  const functions = data.results.filter(
    (source) => source.kind === 'functions' && source.tools.length > 0,
  );
  const servers = data.results.filter((source) => source.kind !== 'functions');
  return (
    <>
      {data.file_problem ? (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title="The file of servers cannot be read"
          mb="md"
        >
          {data.file_problem}.{' '}
          {servers.length > 0 ? 'The servers below are those it named before.' : ''}
        </Alert>
      ) : null}
      {servers.length === 0 && !data.file_problem ? (
        <EmptyState
          icon={IconTool}
          title="No source of your own yet"
          text={`Add an MCP server by its address, or an API by its OpenAPI document. Programs on the server are named in ${data.file} by whoever runs this installation.`}
        />
      ) : null}
      {[...servers, ...functions].map((source) => (
        <SourceCard
          key={`${source.name} ${source.own}`}
          source={source}
          file={data.file}
          canEdit={canEdit}
          onVerb={onVerb}
        />
      ))}
    </>
  );
}
