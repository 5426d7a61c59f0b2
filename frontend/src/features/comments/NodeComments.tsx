import { useQuery } from '@tanstack/react-query';
import { beginThread, openThreadsQuery, threadQuery } from '../../api/http/workspace/threads.ts';
import { Section } from '../../inspector/Section.tsx';
import { useEditor } from '../../store/editor.ts';
import { saveNow } from '../../store/saving.ts';
import { heardComments, unfold, useCommenting } from './commenting.ts';
import classes from './comments.module.css';
import { ThreadCard } from './ThreadCard.tsx';
import { Write } from './Write.tsx';

const aboutComments = (path: string) => path.startsWith('comments.');

/** What people say about one card: its open threads, and where one begins another. */
export function NodeComments({ graphId, node }: { graphId: string; node: string }) {
  const { data: all = [] } = useQuery(openThreadsQuery(graphId));
  const mayWrite = useEditor((state) => state.can.comment ?? false);
  const wanted = useCommenting((state) => state.thread) ?? '';
  const open = all.filter((thread) => thread.node === node);
  const isOpen = open.some(({ id }) => id === wanted);
  const shown = useQuery({ ...threadQuery(graphId, wanted), enabled: wanted !== '' && !isOpen });
  const resolved = !isOpen && shown.data?.node === node ? [shown.data] : [];
  const begin = async (said: { text: string; mentions: string[] }) => {
    await saveNow();
    const { id } = await beginThread(graphId, node, said);
    heardComments();
    unfold(id);
  };
  return (
    <Section
      name="Comments"
      note={open.length > 0 ? `${open.length} open` : 'none'}
      startOpen={open.length > 0}
      holds={aboutComments}
    >
      <div className={classes.list}>
        {[...open, ...resolved].map((thread) => (
          <ThreadCard key={thread.id} graphId={graphId} thread={thread} />
        ))}
        {mayWrite ? (
          <div data-field="comments.new">
            <Write
              place={`${graphId} ${node}`}
              label="Write a comment"
              send="Comment"
              onSend={begin}
            />
          </div>
        ) : null}
        {open.length === 0 && !mayWrite ? (
          <p className={classes.facts}>Nobody said anything about this card.</p>
        ) : null}
      </div>
    </Section>
  );
}
