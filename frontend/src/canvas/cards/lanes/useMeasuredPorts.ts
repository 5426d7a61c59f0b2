import { useNodeId, useUpdateNodeInternals } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { Port } from '../../../graph/schema/ports.ts';

/** Lets wires find the ports of a card that are called or placed otherwise than before: a card of the same size is not measured anew. */
export function useMeasuredPorts(ports: readonly Port[]): void {
  const node = useNodeId();
  const measure = useUpdateNodeInternals();
  const ids = ports.map(({ id, tucked }) => `${id} ${tucked ?? false}`).join('\n');
  const before = useRef(ids);
  useEffect(() => {
    if (node === null || before.current === ids) return;
    before.current = ids;
    measure(node);
  }, [node, ids, measure]);
}
