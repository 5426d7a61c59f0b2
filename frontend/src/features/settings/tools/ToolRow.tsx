import { Badge, Button, Collapse, Group, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronRight } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import {
  definitionChanges,
  type SourceTool,
  toolPath,
} from '../../../api/http/workspace/tools/tools.ts';
import { textDiff } from '../../../graph/document/text/textDiff.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ArgumentWords } from './ArgumentWords.tsx';
import { effectWords } from './effects.ts';
import { ToolSetting } from './ToolSetting.tsx';
import classes from './tools.module.css';

const states = {
  installed: ['gray', 'installed'],
  accepted: ['green', 'accepted'],
  new: ['blue', 'new'],
  changed: ['orange', 'changed'],
  withdrawn: ['gray', 'withdrawn'],
} as const;

/** One tool: its standing, what it says of itself, what changed, who uses it. */
export function ToolRow({ tool, canEdit }: { tool: SourceTool; canEdit: boolean }) {
  const [chosen, setOpen] = useState<boolean | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const isMeant = useLocation().hash === `#${encodeURIComponent(tool.name)}`;
  const isOpen = chosen ?? (isMeant || tool.state === 'changed');
  useEffect(() => {
    if (isMeant) row.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: (verb: 'accept' | 'withdraw') =>
      api.post(toolPath(tool.name, verb), verb === 'accept' ? { hash: tool.hash } : {}),
    onSettled: () => client.invalidateQueries({ queryKey: ['tools'] }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  const withdraw = async () => {
    const users = tool.graphs.length + tool.agents.length;
    const text =
      users > 0
        ? `It is used by ${[...tool.graphs.map((graph) => graph.name), ...tool.agents].join(', ')}. Their next call of it fails.`
        : 'Nothing published uses it. It can be accepted again.';
    if (
      await confirm({
        title: `Withdraw ${tool.name}?`,
        text,
        confirm: 'Withdraw',
        danger: users > 0,
      })
    )
      decide.mutate('withdraw');
  };
  const [color, label] = states[tool.state];
  return (
    <li className={classes.tool} ref={row}>
      <div className={classes.row}>
        <UnstyledButton
          className={classes.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} />
          <span className={classes.name}>
            <span className="gw-mono">{tool.name}</span>
            <Text component="span" size="xs" c="dimmed" className={classes.summary}>
              {tool.description.split('\n')[0] || 'It says nothing of itself.'}
            </Text>
          </span>
        </UnstyledButton>
        {tool.on ? null : (
          <Badge color="gray" variant="light" className={classes.state}>
            off
          </Badge>
        )}
        <Badge color={color} variant="light" className={classes.state}>
          {label}
        </Badge>
        {canEdit ? (
          <div className={classes.verb}>
            {tool.accepted ? (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                loading={decide.isPending}
                aria-label={`Withdraw ${tool.name}`}
                onClick={() => void withdraw()}
              >
                Withdraw
              </Button>
            ) : (
              <Button
                size="compact-xs"
                variant="light"
                loading={decide.isPending}
                aria-label={`${acceptWords(tool)} ${tool.state === 'changed' ? 'of ' : ''}${tool.name}`}
                onClick={() => decide.mutate('accept')}
              >
                {acceptWords(tool)}
              </Button>
            )}
          </div>
        ) : null}
      </div>
      <Collapse expanded={isOpen}>
        <Details tool={tool} canEdit={canEdit} />
      </Collapse>
    </li>
  );
}

const acceptWords = (tool: SourceTool): string =>
  tool.state === 'changed' ? 'Accept the change' : 'Accept';

function Details({ tool, canEdit }: { tool: SourceTool; canEdit: boolean }) {
  const changes = definitionChanges(tool);
  return (
    <div className={classes.details}>
      {tool.state === 'changed' ? <ArgumentWords tool={tool} /> : null}
      {tool.state === 'changed' ? <Changes changes={changes} /> : null}
      {(tool.state === 'changed' && changes.length > 0) ||
      !tool.description.includes('\n') ? null : (
        <p className={classes.description}>{tool.description}</p>
      )}
      <dl className={classes.facts}>
        <dt>Effect</dt>
        <dd>
          {effectWords[tool.effect_class] ?? tool.effect_class}{' '}
          <span className="gw-mono">({tool.effect_class})</span>
          {tool.set_effect
            ? `, set here; its source says: ${effectWords[tool.declared_effect]}`
            : ''}
        </dd>
        {tool.package ? (
          <>
            <dt>Package</dt>
            <dd className="gw-mono">{tool.package}</dd>
          </>
        ) : null}
        <dt>Used by</dt>
        <dd>
          <Users of={tool} nobody="nothing published" />
        </dd>
        {tool.decided_at ? (
          <>
            <dt>{tool.state === 'withdrawn' ? 'Withdrawn' : 'Accepted'}</dt>
            <dd>
              <RelativeTime at={tool.decided_at} />
              {tool.decided_by ? ` by ${tool.decided_by}` : ', because the server is trusted'}
            </dd>
          </>
        ) : null}
      </dl>
      {canEdit ? (
        <ToolSetting key={`${tool.on} ${tool.set_effect} ${tool.timeout_s}`} tool={tool} />
      ) : null}
      {changes.some((change) => change.field === 'Arguments') ? null : (
        <pre className={classes.schema} tabIndex={0} aria-label={`Arguments of ${tool.name}`}>
          {JSON.stringify(tool.parameters, null, 2)}
        </pre>
      )}
    </div>
  );
}

function Changes({ changes }: { changes: ReturnType<typeof definitionChanges> }) {
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The definition that was accepted was not kept, so only the present one can be shown.
      </Text>
    );
  return (
    <div className={classes.changes} role="group" aria-label="What changed since it was accepted">
      {changes.map((change) => (
        <div key={change.field}>
          <div className={classes.field}>{change.field}</div>
          <div
            className={classes.value}
            data-code={change.field === 'Arguments' || undefined}
            tabIndex={0}
            role="region"
            aria-label={change.field}
          >
            {textDiff(change.before, change.after).map((piece, index) =>
              piece.kind === 'same' ? (
                <Fragment key={index}>{piece.text}</Fragment>
              ) : piece.kind === 'added' ? (
                <ins key={index}>{piece.text}</ins>
              ) : (
                <del key={index}>{piece.text}</del>
              ),
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Who uses a tool or names a skill, as links; `nobody` says that there is none. */
export function Users({
  of,
  nobody,
}: {
  of: Pick<SourceTool, 'graphs' | 'agents'>;
  nobody: string;
}) {
  if (of.graphs.length + of.agents.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        {nobody}
      </Text>
    );
  return (
    <Group gap={6} component="span">
      {of.graphs.map((graph) => (
        <Link key={graph.id} to={`/workflows/${graph.id}`}>
          {graph.name}
        </Link>
      ))}
      {of.agents.map((agent) => (
        <Link key={agent} to="/settings/agents">
          agent {agent}
        </Link>
      ))}
    </Group>
  );
}
