import { useReactFlow, useStore, ViewportPortal } from '@xyflow/react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useActions } from '../../../actions/registry.ts';
import { triggerCardsQuery } from '../../../api/http/runs/triggers.ts';
import { START } from '../../../graph/document/document.ts';
import { useEditor } from '../../../store/editor.ts';
import type { FlowNode } from '../../../store/flow.ts';
import { CardButton } from './CardButton.tsx';
import { type Box, columnOf, shareOf, wireOf } from './places.ts';
import { showTrigger, useShownTrigger } from './shown.ts';
import classes from './cards.module.css';
import { lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

const TriggerPanel = lazyOnDemand(() => import('../panel/TriggerPanel.tsx'));

/** So many stand on the canvas; the rest is behind a button. */
const SHOWN = 5;

interface TriggerCardsProps {
  /** How the drawing is fitted into what is free of the canvas. */
  room: () => object;
}

const boxOf = ({ position, measured, initialWidth, initialHeight }: FlowNode): Box => ({
  ...position,
  width: measured?.width ?? initialWidth ?? 0,
  height: measured?.height ?? initialHeight ?? 0,
});

const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const;

/** Whether a link leads to a card: then that is what is to be seen. */
const isLedTo = () =>
  new URLSearchParams(window.location.search).has('thread') ||
  useEditor.getState().nodes.some((node) => node.selected);

/** Make room for the cards once they are there, unless somebody was quicker; and for each that was made here. */
function useRoom(share: number, count: number, room: () => object): void {
  const flow = useReactFlow();
  const done = useRef(false);
  const before = useRef(count);
  useEffect(() => {
    const touch = () => (done.current = true);
    for (const name of TOUCHES) window.addEventListener(name, touch, { capture: true, once: true });
    return () => {
      for (const name of TOUCHES) window.removeEventListener(name, touch, true);
    };
  }, []);
  useEffect(() => {
    const made = count > before.current && useShownTrigger.getState().shown !== null;
    before.current = count;
    if (share === 0 || (done.current && !made)) return;
    done.current = true;
    if (made || !isLedTo()) void flow.fitView(room());
  }, [share, count, flow, room]);
}

/** What starts the workflow, as cards before its start: rows beside the document, no part of it. */
export default function TriggerCards({ room }: TriggerCardsProps) {
  const graphId = useEditor((state) => state.graphId);
  const can = useEditor((state) => state.can);
  const nodes = useEditor((state) => state.nodes);
  const shown = useShownTrigger((state) => state.shown);
  const { data = [] } = useQuery(triggerCardsQuery(graphId));
  const [all, setAll] = useState(false);
  const many = data.length > SHOWN;
  const rows = many && !all ? data.slice(0, SHOWN - 1) : data;
  const pill = nodes.find(({ id }) => id === START);
  const start = pill ? boxOf(pill) : null;
  const share = start && rows.length > 0 ? shareOf(start, nodes.map(boxOf)) : 0;
  useRoom(share, rows.length, room);
  useActions(
    useMemo(
      () => [
        {
          id: 'triggers.add',
          label: 'Add a trigger',
          group: 'Workflow',
          also: 'webhook schedule cron event start',
          enabled: () => can.edit,
          run: () => showTrigger('new'),
        },
      ],
      [can.edit],
    ),
  );
  useEffect(() => () => showTrigger(null), []);
  const places = start ? columnOf(start, rows.length + (many ? 1 : 0)) : [];
  return (
    <>
      {start ? (
        <ViewportPortal>
          <svg className={classes.wires} aria-hidden>
            {places.map((place, at) => (
              <path key={at} d={wireOf(place, start)} data-on={rows[at]?.on ?? false} />
            ))}
          </svg>
          <ul
            className={classes.cards}
            aria-label="Triggers"
            data-share={share > 0 ? share.toFixed(3) : undefined}
          >
            {rows.map((card, at) => (
              <li key={card.id} style={styleOf(places[at])}>
                <CardButton card={card} />
              </li>
            ))}
            {many ? (
              <li style={styleOf(places[rows.length])}>
                <button
                  type="button"
                  className={`${classes.more} nopan nokey`}
                  aria-expanded={all}
                  onClick={() => setAll(!all)}
                >
                  {all ? 'Show fewer' : `${data.length - rows.length} more triggers`}
                </button>
              </li>
            ) : null}
          </ul>
          {can.edit ? <Add start={start} /> : null}
        </ViewportPortal>
      ) : null}
      {shown ? (
        <Suspense fallback={null}>
          <TriggerPanel graphId={graphId} shown={shown} can={can} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Below this zoom nothing is added: cards are but names then. */
const FAR = 0.4;

/** Offers a trigger above the start; never smaller than a finger needs. */
function Add({ start }: { start: Box }) {
  const zoom = useStore((state) => state.transform[2]);
  if (zoom < FAR) return null;
  const scale = Math.max(1, 0.8 / zoom);
  return (
    <button
      type="button"
      className={`${classes.add} nopan nokey`}
      style={{ transform: `translate(${start.x}px, ${start.y - 40}px) scale(${scale})` }}
      title="Let a webhook or a schedule start it"
      onClick={() => showTrigger('new')}
    >
      + Trigger
    </button>
  );
}

const styleOf = (place: Box | undefined) =>
  place ? { transform: `translate(${place.x}px, ${place.y}px)` } : {};
