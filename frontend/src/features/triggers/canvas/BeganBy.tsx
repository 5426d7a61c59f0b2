import { useReactFlow, useStore, ViewportPortal } from '@xyflow/react';
import { Link } from 'react-router';
import { START } from '../../../graph/document/document.ts';
import { KindIcon } from './KindIcon.tsx';
import classes from './cards.module.css';

interface BeganByProps {
  kind: string;
  /** What started the run, in words. */
  words: string;
  /** Where the trigger is to be seen; absent where it is gone. */
  to?: string | undefined;
}

/** What started a run, above its start. */
export default function BeganBy({ kind, words, to }: BeganByProps) {
  const flow = useReactFlow();
  useStore((state) => state.nodeLookup.get(START)?.internals.positionAbsolute);
  const start = flow.getNode(START);
  if (!start) return null;
  const place = { transform: `translate(${start.position.x}px, ${start.position.y - 48}px)` };
  const told = (
    <>
      <KindIcon kind={kind} size={14} />
      <span className="gw-truncate">Started by {words}</span>
    </>
  );
  return (
    <ViewportPortal>
      {to ? (
        <Link to={to} className={`${classes.began} nopan`} style={place}>
          {told}
        </Link>
      ) : (
        <span className={classes.began} style={place}>
          {told}
        </span>
      )}
    </ViewportPortal>
  );
}
