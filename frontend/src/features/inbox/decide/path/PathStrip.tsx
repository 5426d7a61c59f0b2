import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { runQuery } from '../../../../api/http/lists.ts';
import type { GraphDoc, Interrupt } from '../../../../api/types/types.ts';
import type { RunView } from '../../../../run/fold/model.ts';
import { useLiveRun } from '../../../../liverun/useLiveRun.ts';
import { StatusIcon } from '../../../../ui/StatusBadge.tsx';
import classes from '../../inbox.module.css';
import { endedBefore, waysOn } from './path.ts';

const SHOWN_BEFORE = 4;

interface Next {
  id: string;
  label: string;
  via: string;
}

/** Where the graph goes on from an item, and by which decision. */
function nextOf(document: GraphDoc, item: Interrupt): Next[] {
  const labels = new Map(document.nodes.map((each) => [each.id, each.label || each.id]));
  return waysOn(
    document.edges.filter((edge) => edge.source === item.node),
    item,
  ).map((edge) => ({
    id: edge.target,
    label: edge.target === '__end__' ? 'End' : (labels.get(edge.target) ?? edge.target),
    via: edge.label || wordOf(edge.on),
  }));
}

function wordOf(on: string | null | undefined): string {
  if (on === 'rejected') return 'rejected';
  return on === 'timed_out' ? 'timed out' : on === 'failed' ? 'failed' : 'then';
}

/** Scroll the strip so that this step stands in its middle, once. */
function centre(step: HTMLElement | null): void {
  const strip = step?.parentElement;
  if (!step || !strip) return;
  const [inner, outer] = [step.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}

/** The lit path: what ran before this item, and what a decision starts. */
export function PathStrip({ item }: { item: Interrupt }) {
  const { data: run } = useQuery(runQuery(item.run.id));
  const { store } = useLiveRun(item.run.id, { live: false });
  const view = useStore(store, (state) => state.head);
  if (!run || view.seq === 0) return <div className={classes.path} aria-busy="true" />;
  return (
    <nav className={classes.path} aria-label="Path of this run" tabIndex={0}>
      <Before view={view} document={run.document} item={item} />
      <span
        ref={centre}
        className={classes.step}
        aria-current="step"
        data-current={item.status === 'open' ? 'open' : 'done'}
      >
        <span title={item.node_label}>{item.node_label}</span>
      </span>
      <span className={classes.nexts}>
        {nextOf(run.document, item)
          .slice(0, 3)
          .map((next) => (
            <span key={`${next.id}${next.via}`} className={classes.next}>
              <IconArrowRight size={13} aria-hidden />
              <i>{next.via}</i>
              {next.label}
            </span>
          ))}
      </span>
    </nav>
  );
}

function Before({ view, document, item }: { view: RunView; document: GraphDoc; item: Interrupt }) {
  const labels = new Map(document.nodes.map((each) => [each.id, each.label || each.id]));
  const past = endedBefore(view, item);
  const shown = past.slice(-SHOWN_BEFORE);
  return (
    <>
      {past.length > shown.length ? (
        <span className={classes.more}>{past.length - shown.length} more</span>
      ) : null}
      {shown.map((activation) => (
        <Fragment key={activation.key}>
          <span className={classes.step}>
            <StatusIcon status={activation.status} size={12} />
            <span>{labels.get(activation.node) ?? activation.node}</span>
          </span>
          <IconArrowRight size={13} aria-hidden className={classes.arrow} />
        </Fragment>
      ))}
    </>
  );
}
