import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../../api/http/client.ts';
import type { Json } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from '../../inspector.module.css';
import { type Sent, sentQuery } from './sentQuery.ts';

interface LastSentProps {
  graph: string;
  node: string;
  /** The field of the prompt (`config.prompt`) and what it holds now. */
  path: string;
  value: Json | undefined;
}

/** Whether the run's document has another text in the field than the draft has now. */
function isChanged({ run }: Sent, { node, path, value }: LastSentProps): boolean {
  const config = run.document.nodes.find((each) => each.id === node)?.config;
  return (config?.[path.replace(/^config\./, '')] ?? '') !== (value ?? '');
}

function Words({ sent, changed }: { sent: Sent; changed: boolean }) {
  const { run, at } = sent;
  return (
    <>
      <p className={classes.help}>
        In{' '}
        <Link to={`/runs/${run.id}?at=${encodeURIComponent(sent.key)}`}>
          {run.is_draft ? 'a test run' : `a run of version ${run.version ?? '?'}`}
        </Link>
        , <RelativeTime at={at} />.{changed ? ' The prompt was changed since.' : ''}
      </p>
      <div
        className={classes.sentText}
        tabIndex={0}
        role="region"
        aria-label="The prompt as last sent"
      >
        {sent.prompt}
      </div>
      {sent.system ? (
        <details className={classes.sent}>
          <summary>System prompt</summary>
          <div
            className={classes.sentText}
            tabIndex={0}
            role="region"
            aria-label="The system prompt as last sent"
          >
            {sent.system}
          </div>
        </details>
      ) : null}
    </>
  );
}

function Found(props: LastSentProps) {
  const { data, error } = useQuery(sentQuery(props.graph, props.node));
  if (error)
    return (
      <p className={classes.wrong} role="alert">
        {messageOf(error)}
      </p>
    );
  if (data === undefined) return <Skeleton h={60} aria-label="Loading" />;
  return data ? (
    <Words sent={data} changed={isChanged(data, props)} />
  ) : (
    <p className={classes.help}>
      None of the latest runs has asked a model here. Make a test run, and it stands here.
    </p>
  );
}

/** A fold under the prompt of a node: what the model was last sent, its names filled in, and by which run. It reads only when opened. */
export function LastSent(props: LastSentProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={classes.sent}
      onToggle={(event) =>
        event.target === event.currentTarget && setOpen(event.currentTarget.open)
      }
    >
      <summary>As last sent</summary>
      {open ? <Found {...props} /> : null}
    </details>
  );
}
