import { UnstyledButton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { NodeDoc } from '../../api/types/types.ts';
import { type DraftEdge, outgoing } from '../../graph/document/document.ts';
import { nameOf } from '../../graph/wiring/told.ts';
import { OTHERWISE, UNSAID, wireWords } from '../../graph/schema/ports.ts';
import { useEditor } from '../../store/editor.ts';
import { requestFocus } from '../focus.ts';
import own from './branches.module.css';
import classes from './wires.module.css';

/** What a branch waits for, as a row of the list says it. */
function wordsOf(edge: DraftEdge): string {
  if (edge.label) return edge.label;
  if (edge.condition === UNSAID) return 'Say when';
  if (edge.when) return `Says “${edge.when}”`;
  return edge.condition ? `If ${wireWords(edge)}` : OTHERWISE;
}

function open(edge: DraftEdge): void {
  useEditor.getState().select([edge.id]);
  requestFocus(edge.when ? 'when' : 'condition');
}

/** The branches of a node that chooses by conditions, each a door to its form. */
export default function Branches({ node }: { node: NodeDoc }) {
  const records = useEditor((state) => state.records);
  const out = outgoing(records, node.id).filter(({ on }) => (on ?? 'completed') === 'completed');
  return (
    <div className={classes.ways} data-field="branches">
      <span className={classes.title}>Branches</span>
      {out.map((edge) => (
        <UnstyledButton
          key={edge.id}
          className={own.branch}
          data-unsaid={edge.condition === UNSAID}
          onClick={() => open(edge)}
        >
          <span>{wordsOf(edge)}</span>
          <IconArrowRight size={13} aria-label="to" />
          <span className="gw-truncate">{nameOf(records, edge.target)}</span>
        </UnstyledButton>
      ))}
      <p className={classes.beside}>
        Pull a wire from <em>If …</em> to a step, or choose <em>Connect to</em>, then say when it is
        taken.
        {out.length > 0 ? '' : ' What fits nothing goes by Otherwise.'}
      </p>
    </div>
  );
}
