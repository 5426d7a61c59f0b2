import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import { hashesOf, type ToolSource, unaccepted } from '../../../api/http/workspace/tools/tools.ts';
import { ConnectionLine } from './connect/ConnectionLine.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { type SourceVerb, SourceMenu } from './SourceMenu.tsx';
import { ToolRow } from './ToolRow.tsx';
import classes from './tools.module.css';

const kinds = {
  functions: 'Python functions',
  program: 'Program',
  http: 'MCP server',
  openapi: 'API',
  '': 'MCP server',
} as const;
const states = {
  ready: ['teal', 'ready'],
  starting: ['yellow', 'starting'],
  failed: ['red', 'failed'],
} as const;
const waits = ['yellow', 'waits for a sign-in'] as const;

/** One source: how it is, where it comes from, its tools. */
export function SourceCard({
  source,
  file,
  canEdit,
  onVerb,
}: {
  source: ToolSource;
  file: string;
  canEdit: boolean;
  onVerb: (verb: SourceVerb, source: ToolSource) => void;
}) {
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
  const [color, label] = asksToConnect(source) ? waits : states[source.state];
  return (
    <section className={classes.source} aria-label={source.name}>
      <header className={classes.head}>
        <div className={classes.title}>
          <Group gap={8}>
            <h3>{source.name}</h3>
            <Badge color={color} variant="dot">
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
            · {source.tools.length} {source.tools.length === 1 ? 'tool' : 'tools'} ·{' '}
            {origin(source, file)}
            {source.checked_at ? (
              <>
                {' '}
                · looked at <RelativeTime at={source.checked_at} />
              </>
            ) : null}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          {canEdit && open.length > 1 ? (
            <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>
              Accept all {open.length}
            </Button>
          ) : null}
          {canEdit && source.kind === 'openapi' && source.tools.length === 0 ? (
            <Button size="xs" onClick={() => onVerb('choose', source)}>
              Choose its calls
            </Button>
          ) : null}
          {canEdit && (source.asks_sign_in || source.connection?.ended) ? (
            <Button size="xs" onClick={() => onVerb('connect', source)}>
              Connect
            </Button>
          ) : null}
          {canEdit && source.own ? <SourceMenu source={source} onVerb={onVerb} /> : null}
        </Group>
      </header>
      {source.connection ? <ConnectionLine of={source.connection} /> : null}
      <Problem source={source} />
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

/** Whether nothing is wrong with a source but that nobody has signed in at it. */
const asksToConnect = ({ state, asks_sign_in: asks }: ToolSource) => state === 'failed' && asks;

function Problem({ source }: { source: ToolSource }) {
  const said = asksToConnect(source)
    ? 'It asks to sign in: connect it, or give it a credential.'
    : (source.problem ?? (source.error ? `The last look failed: ${source.error}` : null));
  if (said === null || (source.connection?.ended && source.asks_sign_in)) return null;
  return (
    <div
      className={classes.problem}
      role="alert"
      data-pending={source.state === 'starting' || asksToConnect(source) || undefined}
    >
      {said}
    </div>
  );
}

/** Who named a source. */
function origin(source: ToolSource, file: string): string {
  if (source.own) return 'named here';
  return source.kind === 'functions' ? 'installed with Graphwright' : `named in ${file}`;
}
