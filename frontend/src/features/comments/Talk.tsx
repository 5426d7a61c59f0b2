import { Suspense } from 'react';
import { useCommenting } from './commenting.ts';
import { lazyInBackground, lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const NodeComments = lazyInBackground(() =>
  import('./NodeComments.tsx').then((module) => ({ default: module.NodeComments })),
);
const CommentsPanel = lazyOnDemand(() =>
  import('./CommentsPanel.tsx').then((module) => ({ default: module.CommentsPanel })),
);

/** What people say about one card, for the foot of the inspector. */
export function CardTalk({ graphId, node }: { graphId: string; node: string }) {
  return (
    <Suspense fallback={null}>
      <NodeComments key={node} graphId={graphId} node={node} />
    </Suspense>
  );
}

/** The list of all threads, where it is open. */
export function TalkPanel(props: { graphId: string; onCard: (node: string) => void }) {
  const open = useCommenting((state) => state.panel);
  return open ? (
    <Suspense fallback={null}>
      <CommentsPanel {...props} />
    </Suspense>
  ) : null;
}
