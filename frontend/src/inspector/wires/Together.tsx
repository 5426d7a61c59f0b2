import { Button } from '@mantine/core';
import type { DraftEdge } from '../../graph/document/document.ts';
import { alike, besides, takeAll } from '../../graph/editing/alike.ts';
import { endOf, listed } from '../../graph/wiring/endWords.ts';
import { useEditor } from '../../store/editor.ts';
import { useForm } from '../form/context.ts';
import classes from './wires.module.css';

/** What else is taken with a wire: that another one alike keeps it from being taken, and the cure; or what may start beside it. */
export function Together({ edge }: { edge: DraftEdge }) {
  const records = useEditor((state) => state.records);
  const { readOnly } = useForm();
  const names = (edges: readonly DraftEdge[]) => [
    ...new Set(edges.map((other) => endOf(records, other))),
  ];
  const same = names(alike(records, edge));
  const beside = names(besides(records, edge)).filter((name) => !same.includes(name));
  if (same.length > 0)
    return (
      <div className={classes.together} role="note">
        <span>
          Only one of these is taken: {listed(same)}.
          {beside.length > 0 ? ` With all that fit, ${listed(beside)} may start with it.` : ''}
        </span>
        <Button
          size="compact-xs"
          variant="light"
          disabled={readOnly}
          onClick={() =>
            useEditor.getState().gesture('Take all that fit', (now) => takeAll(now, edge.source))
          }
        >
          Take both
        </Button>
      </div>
    );
  if (records.nodes.get(edge.source)?.branching !== 'all' || beside.length === 0) return null;
  return <p className={classes.beside}>May start at the same time: {listed(beside)}.</p>;
}
