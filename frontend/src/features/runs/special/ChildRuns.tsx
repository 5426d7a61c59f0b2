import { Anchor } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runQuery } from '../../../api/http/lists.ts';
import type { RunStatus } from '../../../api/types/types.ts';
import type { ChildRunView } from '../../../run/fold/model.ts';
import { formatTokens, formatUsd } from '../../../ui/format/format.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { ValueView } from '../../../liverun/ValueView.tsx';
import classes from './special.module.css';
import type { SpecialProps } from './SpecialView.tsx';

/** The runs that this node started or handed over to: how they stand, and the way there. */
export function ChildRuns({ view, activation }: SpecialProps) {
  const over = view.transition?.key === activation.key ? view.transition : null;
  return (
    <>
      {activation.childRuns.map((child) => (
        <ChildRun key={child.runId} child={child} />
      ))}
      {over ? (
        <div className={classes.childRun}>
          <div className={classes.childHead}>
            <GraphName runId={over.runId} graphId={over.graphId} />
          </div>
          <p className={classes.quiet}>This run handed over to it.</p>
          <Way runId={over.runId} />
        </div>
      ) : null}
    </>
  );
}

const statusOf = (child: ChildRunView): RunStatus => {
  if (child.status === 'refused') return 'failed';
  return (child.status as RunStatus | null) ?? (child.waiting ? 'waiting' : 'running');
};

function ChildRun({ child }: { child: ChildRunView }) {
  const spent = [
    child.tokens ? `${formatTokens(child.tokens)} tokens` : '',
    child.costUsd && Number(child.costUsd) > 0 ? formatUsd(child.costUsd) : '',
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <div className={classes.childRun}>
      <div className={classes.childHead}>
        <GraphName runId={child.runId} graphId={child.graphId} />
        <StatusBadge
          status={statusOf(child)}
          {...(child.status === 'refused' ? { detail: 'could not start' } : {})}
        />
      </div>
      {child.error ? <p className={classes.failed}>{child.error.message}</p> : null}
      {child.result === undefined ? null : (
        <div>
          <h3 className={classes.title}>Result</h3>
          <ValueView value={child.result} />
        </div>
      )}
      <div className={classes.childHead}>
        {child.status === 'refused' ? null : <Way runId={child.runId} />}
        {spent ? <span className={classes.rowAside}>{spent}</span> : null}
      </div>
    </div>
  );
}

function GraphName({ runId, graphId }: { runId: string; graphId: string }) {
  const { data } = useQuery({ ...runQuery(runId), retry: false });
  return <b className="gw-truncate">{data?.graph.name ?? graphId}</b>;
}

function Way({ runId }: { runId: string }) {
  return (
    <Anchor component={Link} to={`/runs/${runId}`} size="sm" className={classes.way}>
      Open the run <IconArrowRight size={14} aria-hidden />
    </Anchor>
  );
}
