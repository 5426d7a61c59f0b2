import { useMutation } from '@tanstack/react-query';
import type { Records } from '../../graph/document/document.ts';
import type { Part } from '../../graph/proposal/parts.ts';
import { closeDraft, type Proposal } from '../../api/http/workspace/describe.ts';
import { ErrorState } from '../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { AskForm } from './AskForm.tsx';
import { NoModel } from './NoModel.tsx';
import { NotDrafted } from './NotDrafted.tsx';
import { Review } from './Review.tsx';
import { useDraft } from './useDraft.ts';
import { Writing } from './Writing.tsx';

interface DescribeProps {
  graphId: string | null;
  current: Records;
  accept: string;
  /** What to do before the model is asked, such as saving. */
  onBefore?: () => Promise<unknown>;
  /** Put parts where they belong; what it gives is done once the draft is put away. */
  onTake: (parts: readonly Part[], proposal: Proposal) => Promise<() => void>;
}

/** From words: asked of a model, followed while it writes, and taken part by part. */
export function Describe({ graphId, current, accept, onBefore, onTake }: DescribeProps) {
  const draft = useDraft(graphId);
  const { able, proposal, words, setWords, ask, stop, close, loading, error } = draft;
  const take = useMutation({
    mutationFn: async ({ parts, of }: { parts: readonly Part[]; of: Proposal }) => {
      const done = await onTake(parts, of);
      await closeDraft(of.id, parts.length).catch(() => null); // it is taken, whatever is noted of it
      draft.forget();
      done();
    },
  });
  if (error && !able.data) return <ErrorState error={error} onRetry={() => void able.refetch()} />;
  if (loading || !able.data) return <ListSkeleton rows={4} />;
  const back = () => {
    setWords(words || (proposal?.words ?? ''));
    close.mutate();
  };
  if (proposal?.status === 'writing')
    return <Writing proposal={proposal} stopping={stop.isPending} onStop={() => stop.mutate()} />;
  if (proposal?.status === 'ready')
    return (
      <Review
        key={proposal.id}
        proposal={proposal}
        current={current}
        accept={accept}
        busy={take.isPending || close.isPending}
        error={take.error ?? close.error}
        onAccept={(parts) => take.mutate({ parts, of: proposal })}
        onDismiss={back}
      />
    );
  if (proposal) return <NotDrafted proposal={proposal} onBack={back} />;
  if (able.data.models.length === 0) return <NoModel mayConnect={able.data.may_connect} />;
  const send = async (model: string) => {
    await onBefore?.();
    ask.mutate(model);
  };
  return (
    <AskForm
      able={able.data}
      change={graphId !== null}
      words={words}
      onWords={setWords}
      busy={ask.isPending}
      error={ask.error}
      onAsk={(model) => void send(model)}
    />
  );
}
