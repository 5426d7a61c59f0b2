import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  askForDraft,
  capableModelsQuery,
  closeDraft,
  openProposalQuery,
  proposalQuery,
  stopDraft,
} from '../../api/http/workspace/describe.ts';

/** A person's draft from words about a workflow, or about a new one: asked, followed, put away. */
export function useDraft(graphId: string | null) {
  const client = useQueryClient();
  const able = useQuery(capableModelsQuery(graphId));
  const open = useQuery(openProposalQuery(graphId));
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const id = asked ?? open.data?.id ?? '';
  const followed = useQuery({ ...proposalQuery(id), enabled: id !== '' });
  const forget = () => {
    setAsked(null);
    client.setQueryData(openProposalQuery(graphId).queryKey, null);
    void client.invalidateQueries({ queryKey: capableModelsQuery(graphId).queryKey });
  };
  const ask = useMutation({
    mutationFn: (model: string) => askForDraft(words, model, graphId),
    onSuccess: (proposal) => {
      client.setQueryData(proposalQuery(proposal.id).queryKey, proposal);
      setAsked(proposal.id);
    },
  });
  const stop = useMutation({
    mutationFn: () => stopDraft(id),
    onSuccess: () => client.invalidateQueries({ queryKey: proposalQuery(id).queryKey }),
  });
  const close = useMutation({
    mutationFn: () => closeDraft(id, 0),
    onSuccess: forget,
  });
  const proposal = id === '' ? null : (followed.data ?? null);
  return {
    able,
    words,
    setWords,
    ask,
    stop,
    close,
    forget,
    proposal,
    loading: able.isPending || open.isPending || (id !== '' && !proposal),
    error: able.error ?? open.error ?? followed.error,
  };
}
