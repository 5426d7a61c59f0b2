import type { NodeTypeInfo } from '../../../api/types/types.ts';
import { type Records, START } from '../../document/document.ts';
import { MAIN } from '../../schema/ports.ts';
import { nodeReferences } from '../../schema/schema.ts';
import { connect } from '../operations.ts';

/**
 * The document in which Start leads to the one node that nothing leads to, neither a wire nor the settings
 * of another node. Unchanged where Start leads somewhere already, or where it is not clear which node is first.
 */
export function ledFromStart(records: Records, types: ReadonlyMap<string, NodeTypeInfo>): Records {
  const edges = [...records.edges.values()];
  const nodes = [...records.nodes.values()];
  if (edges.some((edge) => edge.source === START)) return records;
  const ledTo = new Set([
    ...edges.filter((edge) => edge.source !== edge.target).map((edge) => edge.target),
    ...nodes.flatMap((node) => nodeReferences(types.get(node.type), node)),
  ]);
  const [first, ...more] = nodes.filter((node) => !ledTo.has(node.id));
  return first && more.length === 0 ? connect(records, START, MAIN, first.id) : records;
}
