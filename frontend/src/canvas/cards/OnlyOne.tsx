import { takeAll } from '../../graph/editing/alike.ts';
import { useEditor } from '../../store/editor.ts';
import classes from '../canvas.module.css';

/** Said on a wire that asks for the same as an earlier one: it is never taken, unless the node takes all that fit. */
export function OnlyOne({ source }: { source: string }) {
  const take = () =>
    useEditor.getState().gesture('Take all that fit', (records) => takeAll(records, source));
  return (
    <span className={classes.onlyOne}>
      Only one of these is taken
      <button type="button" onClick={take}>
        Take both
      </button>
    </span>
  );
}
