import { Alert, Badge, Button, Code, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconRefresh, IconTool } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import {
  hashesOf,
  type ToolSource,
  type ToolSources,
  toolSourcesQuery,
  unaccepted,
} from '../../../api/http/workspace/tools.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { SettingsSection } from '../SettingsSection.tsx';
import { ToolRow } from './ToolRow.tsx';
import classes from './tools.module.css';

const kinds = {
  functions: 'Python functions',
  program: 'Program',
  http: 'HTTP',
  '': 'MCP server',
} as const;
const states = {
  ready: ['teal', 'ready'],
  starting: ['yellow', 'starting'],
  failed: ['red', 'failed'],
} as const;

/** Where tools come from, and which of their definitions this workspace agreed to. */
export function ToolSettings({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch, isFetching } = useQuery(toolSourcesQuery);
  const again = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={isFetching}
      onClick={() => void refetch()}
    >
      Look again
    </Button>
  );
  return (
    <SettingsSection
      title="Tools"
      text={
        <>
          Servers are named in <Code>{data?.file ?? 'mcp.json'}</Code> by whoever runs this
          installation. Nothing of a server is used before it is accepted here.
        </>
      }
      action={again}
    >
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data ? <Sources data={data} canEdit={canEdit} /> : null}
    </SettingsSection>
  );
}

function Sources({ data, canEdit }: { data: ToolSources; canEdit: boolean }) {
  const shown = data.results.filter(
    (source) => source.kind !== 'functions' || source.tools.length > 0,
  );
  const servers = shown.filter((source) => source.kind !== 'functions');
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
      {servers.map((source) => (
        <Source key={source.name} source={source} canEdit={canEdit} />
      ))}
      {servers.length === 0 && !data.file_problem ? (
        <EmptyState
          icon={IconTool}
          title="No server yet"
          text={`Name one in ${data.file} and look again: {"mcpServers": {"time": {"command": "mcp-server-time"}}}`}
        />
      ) : null}
      {shown
        .filter((source) => source.kind === 'functions')
        .map((source) => (
          <Source key={source.name} source={source} canEdit={canEdit} />
        ))}
    </>
  );
}

function Source({ source, canEdit }: { source: ToolSource; canEdit: boolean }) {
  const client = useQueryClient();
  const open = unaccepted(source);
  const accept = useMutation({
    mutationFn: () =>
      api.post(`tool-sources/${source.name}/accept/`, { hashes: hashesOf(source, open) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['tools'] }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'They were not accepted',
        message: messageOf(error),
      }),
  });
  const [color, label] = states[source.state];
  return (
    <section className={classes.source} aria-label={source.name}>
      <header className={classes.head}>
        <div className={classes.title}>
          <Group gap={8}>
            <h3>{source.name}</h3>
            <Badge color={color} variant="light">
              {label}
            </Badge>
            {source.trusted ? (
              <Badge color="gray" variant="light">
                trusted
              </Badge>
            ) : null}
          </Group>
          <Text size="xs" c="dimmed">
            {kinds[source.kind]}
            {source.where ? (
              <>
                {' '}
                · <span className="gw-mono">{source.where}</span>
              </>
            ) : null}{' '}
            · {source.tools.length} {source.tools.length === 1 ? 'tool' : 'tools'}
          </Text>
        </div>
        {canEdit && open.length > 1 ? (
          <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
            Accept all {open.length}
          </Button>
        ) : null}
      </header>
      {source.problem ? (
        <div
          className={classes.problem}
          role="alert"
          data-pending={source.state === 'starting' || undefined}
        >
          {source.problem}
        </div>
      ) : null}
      {source.tools.length > 0 ? (
        <ul className={classes.tools}>
          {source.tools.map((tool) => (
            <ToolRow key={tool.name} tool={tool} canEdit={canEdit && source.kind !== 'functions'} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}
