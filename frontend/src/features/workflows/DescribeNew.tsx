import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api } from '../../api/http/client.ts';
import type { Proposal } from '../../api/http/workspace/describe.ts';
import type { GraphDetail } from '../../api/types/types.ts';
import { emptyRecords, toDocument } from '../../graph/document/document.ts';
import type { Part } from '../../graph/proposal/parts.ts';
import { withParts } from '../../graph/proposal/taking.ts';
import { Describe } from '../describe/Describe.tsx';

/** A new workflow from words: what is taken of the draft is made, and opened in the editor. */
export default function DescribeNew() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const take = async (parts: readonly Part[], proposal: Proposal) => {
    const { id = 'workflow', name = '', description = '' } = proposal.document ?? {};
    const document = toDocument(withParts(emptyRecords, parts), { id, name, description });
    const graph = await api.post<GraphDetail>('graphs/', { document: JSON.stringify(document) });
    void client.invalidateQueries({ queryKey: ['graphs'] });
    return () => void navigate(`/workflows/${graph.id}`);
  };
  return <Describe graphId={null} current={emptyRecords} accept="Make it" onTake={take} />;
}
