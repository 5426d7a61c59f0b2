import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, messageOf } from '../api/http/client.ts';
import { type BlobRef, type Json, blobOf, brief, isObject } from '../run/values/json.ts';
import { visible } from '../run/values/visible.ts';
import { Leaf } from './Leaf.tsx';
import { useRunId } from './RunContext.ts';
import classes from './value.module.css';

const OPEN_DEPTH = 2;

/** How the value of a field is read, such as a sum with its currency; null where it is read as it is. */
export type Told = (name: string, value: Json) => string | null;

const asItIs: Told = () => null;

/** Any value for reading: text as text, objects as an outline that folds. Never rendered as HTML. */
export function ValueView({
  value,
  empty = 'nothing',
  told = asItIs,
}: {
  value: Json | undefined;
  empty?: string;
  /** Of the fields of an object, for those of whose look something is known. */
  told?: Told;
}) {
  if (value === undefined || value === null) return <span className={classes.empty}>{empty}</span>;
  const blob = blobOf(value);
  if (blob) return <LargeValue blob={blob} />;
  if (typeof value === 'string')
    return (
      <div className={classes.text} dir="auto">
        {value === '' ? <span className={classes.empty}>empty text</span> : visible(value)}
      </div>
    );
  return (
    <div className={classes.outline}>
      <Outline value={value} depth={0} told={told} />
    </div>
  );
}

interface OutlineProps {
  value: Json;
  depth: number;
  name?: string;
  told?: Told;
}

function Outline({ value, depth, name = '', told = asItIs }: OutlineProps) {
  if (isObject(value) && blobOf(value) === null)
    return <Branch entries={Object.entries(value)} depth={depth} told={told} />;
  if (Array.isArray(value))
    return <Branch entries={value.map((each, index) => [String(index), each])} depth={depth} />;
  const blob = blobOf(value);
  if (blob) return <LargeValue blob={blob} />;
  return <Leaf name={name} value={value} />;
}

interface BranchProps {
  entries: [string, Json][];
  depth: number;
  told?: Told;
}

function Branch({ entries, depth, told = asItIs }: BranchProps) {
  if (entries.length === 0) return <span className={classes.empty}>nothing</span>;
  return (
    <ul className={classes.branch} data-root={depth === 0 || undefined}>
      {entries.map(([name, value]) => (
        <Entry key={name} name={name} value={value} depth={depth} said={told(name, value)} />
      ))}
    </ul>
  );
}

interface EntryProps {
  name: string;
  value: Json;
  depth: number;
  said: string | null;
}

function Entry({ name, value, depth, said }: EntryProps) {
  const nested =
    typeof value === 'object' &&
    value !== null &&
    blobOf(value) === null &&
    Object.keys(value).length > 0;
  if (!nested) {
    return (
      <li>
        <span className={classes.key}>{visible(name)}</span>
        {said === null ? (
          <Outline value={value} depth={depth + 1} name={name} />
        ) : (
          <span className={classes.leaf}>{said}</span>
        )}
      </li>
    );
  }
  return (
    <li>
      <details open={depth < OPEN_DEPTH}>
        <summary>
          <span className={classes.key}>{visible(name)}</span>
          <span className={classes.hint}>{brief(value, 60)}</span>
        </summary>
        <Outline value={value} depth={depth + 1} />
      </details>
    </li>
  );
}

type Loaded =
  | { state: 'idle' | 'loading' }
  | { state: 'done'; value: Json }
  | { state: 'failed'; reason: string };

function LargeValue({ blob }: { blob: BlobRef }) {
  const runId = useRunId();
  const [loaded, setLoaded] = useState<Loaded>({ state: 'idle' });
  if (loaded.state === 'done') return <ValueView value={loaded.value} />;
  const load = async () => {
    setLoaded({ state: 'loading' });
    try {
      setLoaded({
        state: 'done',
        value: await api.get<Json>(`runs/${runId ?? ''}/blobs/${blob.$blob}/`),
      });
    } catch (error) {
      setLoaded({ state: 'failed', reason: messageOf(error) });
    }
  };
  return (
    <span>
      <Button
        variant="default"
        size="compact-xs"
        loading={loaded.state === 'loading'}
        disabled={runId === null}
        onClick={() => void load()}
      >
        Show value ({Math.ceil(blob.bytes / 1024)} KB)
      </Button>
      {loaded.state === 'failed' ? <span role="alert"> {loaded.reason}</span> : null}
    </span>
  );
}
