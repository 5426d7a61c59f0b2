import { ActionIcon, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { openThreadsQuery, resolvedThreadsQuery } from '../../api/http/workspace/threads.ts';
import type { CardThread } from '../../api/types/types.ts';
import canvas from '../../canvas/canvas.module.css';
import { requestFocus } from '../../inspector/focus.ts';
import { useEditor } from '../../store/editor.ts';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { closeComments, unfold } from './commenting.ts';
import classes from './comments.module.css';
import { ThreadCard } from './ThreadCard.tsx';

interface PanelProps {
  graphId: string;
  /** Show a card of the draft. */
  onCard: (node: string) => void;
}

/** All threads of the workflow by card; a thread leads to its card, and unfolds here where that was deleted. */
export function CommentsPanel({ graphId, onCard }: PanelProps) {
  const [resolved, setResolved] = useState(false);
  const list = useQuery(resolved ? resolvedThreadsQuery(graphId) : openThreadsQuery(graphId));
  const byNode = byCard(list.data ?? []);
  return (
    <section
      className={`${canvas.panel} ${classes.panel}`}
      aria-label="Comments"
      data-region="comments"
    >
      <header className={classes.panelHead}>
        <h2>Comments</h2>
        <Switch
          size="xs"
          label="Resolved"
          checked={resolved}
          onChange={(event) => setResolved(event.currentTarget.checked)}
        />
        <ActionIcon size="sm" aria-label="Close comments" onClick={closeComments}>
          <IconX size={15} />
        </ActionIcon>
      </header>
      <div className={classes.panelList}>
        {list.error ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null}
        {list.data?.length === 0 ? (
          <p className={classes.empty}>
            {resolved
              ? 'No thread was resolved yet.'
              : 'No open thread. Choose a card and write under Comments, below its settings, or press M.'}
          </p>
        ) : null}
        {[...byNode].map(([node, threads]) => (
          <OfCard key={node} graphId={graphId} node={node} threads={threads} onCard={onCard} />
        ))}
      </div>
    </section>
  );
}

function byCard(threads: readonly CardThread[]): Map<string, CardThread[]> {
  const found = new Map<string, CardThread[]>();
  for (const thread of threads) found.set(thread.node, [...(found.get(thread.node) ?? []), thread]);
  return found;
}

interface CardProps extends PanelProps {
  node: string;
  threads: readonly CardThread[];
}

function OfCard({ graphId, node, threads, onCard }: CardProps) {
  const here = useEditor((state) => state.records.nodes.get(node));
  const label = here ? here.label || node : threads[0]?.label;
  const go = (thread: CardThread) => {
    unfold(thread.id);
    onCard(node);
    requestFocus(`comments.${thread.id}`);
    if (window.matchMedia('(max-width: 700px)').matches) closeComments();
  };
  return (
    <section aria-label={label} className={classes.ofCard}>
      <h3>
        {label} {here ? null : <span>on a card that was deleted</span>}
      </h3>
      {threads.map((thread) => (
        <ThreadCard
          key={thread.id}
          graphId={graphId}
          thread={thread}
          {...(here ? { onGo: () => go(thread) } : {})}
        />
      ))}
    </section>
  );
}
