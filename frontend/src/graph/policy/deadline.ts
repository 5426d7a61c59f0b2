import { withRecords } from '../document/diff.ts';
import { outgoing, type Records } from '../document/document.ts';
import { connect } from '../editing/operations.ts';
import { reroute } from '../wiring/rewire.ts';

const PORT = 'timed_out';

/** A node whose missed deadline leads to that node; with no id it leads nowhere and counts as rejected. */
export function withDeadlineWay(records: Records, node: string, target: string): Records {
  const [way] = outgoing(records, node).filter(({ on }) => on === PORT);
  if (!way) return target === '' ? records : connect(records, node, PORT, target);
  if (target === '') return withRecords(records, [{ kind: 'edge', id: way.id, value: null }]);
  return reroute(records, way.id, target);
}
