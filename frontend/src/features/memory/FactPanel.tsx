import { ActionIcon, Anchor, Button, Group, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { hashKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { type Action, useActions } from '../../actions/registry.ts';
import { api, messageOf } from '../../api/http/client.ts';
import {
  type Entity,
  type FactDetail,
  factQuery,
  type FactRevision,
  factsKey,
} from '../../api/http/workspace/facts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { FactForm } from './FactForm.tsx';
import classes from './memory.module.css';
import type { Change } from './useFactFilter.ts';

interface FactPanelProps {
  id: string;
  change: Change;
  onClose: () => void;
  onForgotten: () => void;
}

/** One fact beside the list: what it says, where it is from, who it is about, what it said before. */
export function FactPanel({ id, change, onClose, onForgotten }: FactPanelProps) {
  const fact = useQuery(factQuery(id));
  const [editing, setEditing] = useState(false);
  const forget = useForget(fact.data, onForgotten);
  const canEdit = fact.data?.can.edit ?? false;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: 'memory.edit',
          label: 'Correct this fact',
          group: 'Memory',
          keys: ['E'],
          enabled: () => canEdit && !editing,
          run: () => setEditing(true),
        },
        {
          id: 'memory.forget',
          label: 'Forget this fact',
          group: 'Memory',
          keys: ['Delete'],
          enabled: () => canEdit && !editing,
          run: forget,
        },
      ],
      [canEdit, editing, forget],
    ),
  );
  return (
    <aside className={classes.panel} aria-label="Fact">
      <header className={classes.panelHead}>
        <h2>{editing ? 'Correct the fact' : 'Fact'}</h2>
        {canEdit && !editing ? (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} />}
              onClick={() => setEditing(true)}
            >
              Correct
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} />}
              onClick={forget}
            >
              Forget
            </Button>
          </>
        ) : null}
        <Tooltip label="Close">
          <ActionIcon aria-label="Close" onClick={onClose}>
            <IconX size={17} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.panelBody}>
        {fact.isError ? (
          <ErrorState error={fact.error} onRetry={() => void fact.refetch()} />
        ) : null}
        {fact.isPending ? <ListSkeleton rows={4} /> : null}
        {fact.data && editing ? (
          <FactForm
            known={fact.data}
            onDone={() => setEditing(false)}
            onCancel={() => setEditing(false)}
          />
        ) : null}
        {fact.data && !editing ? <Shown fact={fact.data} change={change} /> : null}
      </div>
    </aside>
  );
}

/** Forget after asking; there is no way back, and the question says so. */
function useForget(fact: FactDetail | undefined, onForgotten: () => void): () => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: string) => api.delete(`facts/${id}/`),
    onSuccess: async (_, id) => {
      onForgotten();
      const gone = hashKey(factQuery(id).queryKey);
      await client.invalidateQueries({
        queryKey: factsKey,
        predicate: (query) => query.queryHash !== gone, // the panel may still be about to close
      });
      notifications.show({ message: 'The fact is forgotten.' });
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'It is still known', message: messageOf(error) }),
  });
  return useMemo(
    () => () => {
      if (!fact) return;
      const question = {
        title: 'Forget this fact?',
        text: 'It is removed for good, with everything it said before. This cannot be undone. Logs of finished runs keep what they showed.',
        confirm: 'Forget',
        danger: true,
      };
      void confirm(question).then((yes) => {
        if (yes) mutate(fact.id);
      });
    },
    [fact, mutate],
  );
}

function Shown({ fact, change }: { fact: FactDetail; change: Change }) {
  return (
    <>
      <p className={classes.said}>{fact.text}</p>
      <Part title="Where it is from">
        <Origin fact={fact} />
      </Part>
      {fact.tags.length > 0 ? (
        <Part title="Tags">
          <Group gap={6}>
            {fact.tags.map((tag) => (
              <Pill key={tag} kind="tag" name={tag} onClick={() => change({ tag })} />
            ))}
          </Group>
        </Part>
      ) : null}
      {fact.about.length > 0 ? (
        <Part title="About">
          {fact.about.map((entity) => (
            <About key={entity.name} entity={entity} change={change} />
          ))}
        </Part>
      ) : null}
      {fact.revisions.length > 0 ? (
        <Part title="Said before">
          <ol className={classes.history}>
            {fact.revisions.map((old) => (
              <Revision key={old.at} old={old} now={fact} />
            ))}
          </ol>
        </Part>
      ) : null}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Origin({ fact }: { fact: FactDetail }) {
  const by = fact.edited_by?.name ?? 'somebody';
  const edited = fact.edited_at ? (
    <p>
      Corrected by {by} <RelativeTime at={fact.edited_at} />.
    </p>
  ) : null;
  if (!fact.graph)
    return (
      <>
        <p>
          Written by {fact.edited_at ? 'hand' : by} <RelativeTime at={fact.learned_at} />.
        </p>
        {edited}
      </>
    );
  const graph = fact.graph.id ? (
    <Anchor component={Link} to={`/workflows/${fact.graph.id}`} inherit>
      {fact.graph.name}
    </Anchor>
  ) : (
    <>{fact.graph.name} (deleted)</>
  );
  const run = fact.run ? (
    <Anchor component={Link} to={`/runs/${fact.run}`} inherit>
      Open the run
    </Anchor>
  ) : (
    'The run is gone.'
  );
  return (
    <>
      <p>
        Learned <RelativeTime at={fact.learned_at} /> in {graph} by the node{' '}
        <code>{fact.node}</code>. {run}
      </p>
      {edited}
    </>
  );
}

function About({ entity, change }: { entity: Entity; change: Change }) {
  return (
    <div className={classes.entity}>
      <Pill kind="entity" name={entity.name} onClick={() => change({ entity: entity.name })} />
      <span className={classes.count}>
        {entity.facts === 1 ? 'this fact only' : `${entity.facts} facts`}
      </span>
      {entity.related.length > 0 ? (
        <div className={classes.related}>
          <span className={classes.count}>with</span>
          {entity.related.map((other) => (
            <Pill
              key={other.name}
              kind="entity"
              name={other.name}
              count={other.facts}
              onClick={() => change({ entity: other.name })}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

function Pill({
  name,
  kind,
  count,
  onClick,
}: {
  name: string;
  kind: 'tag' | 'entity';
  count?: number;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={classes.pill}
      data-kind={kind}
      title={kind === 'tag' ? `Show facts with the tag ${name}` : `Show facts about ${name}`}
      onClick={onClick}
    >
      {name}
      {count ? <span className={classes.pillCount}>{count}</span> : null}
    </button>
  );
}

function Revision({ old, now }: { old: FactRevision; now: FactDetail }) {
  const other = (before: string[], after: string[]) => before.join('\n') !== after.join('\n');
  return (
    <li>
      <p>{old.text}</p>
      {other(old.tags, now.tags) ? (
        <p className={classes.count}>Tags: {old.tags.join(', ') || 'none'}</p>
      ) : null}
      {other(old.entities, now.entities) ? (
        <p className={classes.count}>About: {old.entities.join(', ') || 'nobody'}</p>
      ) : null}
      <p className={classes.count}>
        until {old.by?.name ?? 'somebody'} corrected it <RelativeTime at={old.at} />
      </p>
    </li>
  );
}
