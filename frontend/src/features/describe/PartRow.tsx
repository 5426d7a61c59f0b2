import { Checkbox } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ChangeList } from '../../canvas/ChangeList.tsx';
import { hostsIn } from '../../graph/proposal/addresses.ts';
import { aboutOf, type Part } from '../../graph/proposal/parts.ts';
import classes from './describe.module.css';

interface PartRowProps {
  part: Part;
  on: boolean;
  contested: boolean;
  danger: string | null;
  onTick: (on: boolean) => void;
}

const kinds = { node: 'node', edge: 'wire', agent: 'agent', setting: 'setting' } as const;

/** A part of a draft with its tick: what it is, what is risky about it, and every field on demand. */
export function PartRow({ part, on, contested, danger, onTick }: PartRowProps) {
  const about = aboutOf(part);
  const hosts = part.change === 'removed' ? [] : [...hostsIn(part.after)];
  return (
    <li className={classes.part} data-part={part.key} data-change={part.change}>
      <Checkbox
        size="sm"
        checked={on && !contested}
        disabled={contested}
        onChange={(event) => onTick(event.currentTarget.checked)}
        label={
          <span className={classes.title}>
            {part.title}{' '}
            <span className={classes.kind} data-change={part.change}>
              {kinds[part.kind]} {part.change}
            </span>
          </span>
        }
      />
      {about ? <p className={classes.note}>{about}</p> : null}
      {contested ? (
        <p className={classes.note}>
          Somebody changed this since you asked. What they wrote stays.
        </p>
      ) : null}
      {danger ? (
        <p className={classes.danger}>
          <IconAlertTriangle size={14} stroke={1.9} aria-hidden /> {danger}
        </p>
      ) : null}
      {hosts.length > 0 ? (
        <p className={classes.note}>Names the address {hosts.join(', ')}</p>
      ) : null}
      {part.fields.length > 0 ? (
        <details className={classes.details}>
          <summary>What it says</summary>
          <ChangeList changes={[part]} />
        </details>
      ) : null}
    </li>
  );
}
