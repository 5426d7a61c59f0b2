import type { GraphDoc } from '../../../../api/types/types.ts';
import { END } from '../../../../graph/document/document.ts';
import type { RunView } from '../../../../run/fold/model.ts';
import { nodeLabel } from '../../../runs/views/canvasViews.ts';
import classes from '../testrun.module.css';
import { waysTaken } from './passed.ts';

interface WaysProps {
  document: GraphDoc;
  view: RunView;
  node: string;
}

/** Which of its wires a node took; nothing for one that has no choice. */
export function Ways({ document, view, node }: WaysProps) {
  return waysTaken(document, view, node).map(({ target, words }) => (
    <p key={`${target} ${words}`} className={classes.way}>
      Goes on to <b>{target === END ? 'End' : nodeLabel(document, target)}</b>
      {words ? `, as ${words}` : ''}
    </p>
  ));
}
