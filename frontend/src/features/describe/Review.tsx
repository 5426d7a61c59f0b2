import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Proposal } from '../../api/http/workspace/describe.ts';
import { messageOf } from '../../api/http/client.ts';
import type { Records } from '../../graph/document/document.ts';
import { needsOf, ticked } from '../../graph/proposal/needs.ts';
import { countOf, type Part, partsOf, recordsOf } from '../../graph/proposal/parts.ts';
import { isContested, isThere } from '../../graph/proposal/taking.ts';
import { Money } from '../../ui/format/Money.tsx';
import classes from './describe.module.css';
import { PartRow } from './PartRow.tsx';
import { Picture } from './Picture.tsx';

const DANGER = 'UnguardedEffect';

interface ReviewProps {
  proposal: Proposal;
  /** The workflow as it is now; without any node for a new one. */
  current: Records;
  accept: string;
  busy: boolean;
  error: unknown;
  onAccept: (parts: readonly Part[]) => void;
  onDismiss: () => void;
}

/** What a model drafted, part by part: ticks take what they need along. */
export function Review({
  proposal,
  current,
  accept,
  busy,
  error,
  onAccept,
  onDismiss,
}: ReviewProps) {
  const parts = useMemo(
    () => partsOf(recordsOf(proposal.base), recordsOf(proposal.document)),
    [proposal],
  );
  const needs = useMemo(() => needsOf(parts), [parts]);
  const contested = useMemo(
    () => new Set(parts.filter((part) => isContested(current, part)).map(({ key }) => key)),
    [parts, current],
  );
  const shown = useMemo(() => parts.filter((part) => !isThere(current, part)), [parts, current]);
  const [ticks, setTicks] = useState<ReadonlySet<string>>(
    () => new Set(parts.map((part) => part.key)),
  );
  const taken = shown.filter(({ key }) => ticks.has(key) && !contested.has(key));
  const dangerOf = ({ kind, id, change }: Part) => {
    if (kind !== 'node' || change === 'removed') return null;
    const found = proposal.problems.find(({ code, node }) => code === DANGER && node === id);
    return found ? (found.say ?? found.message) : null;
  };
  const others = proposal.problems.filter(({ code }) => code !== DANGER).length;
  const all = taken.length === shown.length - shown.filter(({ key }) => contested.has(key)).length;
  if (shown.length === 0)
    return (
      <Stack gap="sm" data-draft="ready">
        <Text>{proposal.summary}</Text>
        <Text c="dimmed">There is nothing to change: the workflow says all of it already.</Text>
        <Group justify="flex-end">
          <Button onClick={onDismiss}>Change the words</Button>
        </Group>
      </Stack>
    );
  return (
    <Stack gap="sm" data-draft="ready">
      {proposal.summary ? <Text>{proposal.summary}</Text> : null}
      {proposal.graph === null ? <Picture parts={taken} /> : null}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {countOf(shown)}
        </Text>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => setTicks(new Set(all ? [] : shown.map(({ key }) => key)))}
        >
          {all ? 'Untick all' : 'Tick all'}
        </Anchor>
      </Group>
      <ul className={classes.parts} aria-label="Parts of the draft">
        {shown.map((part) => (
          <PartRow
            key={part.key}
            part={part}
            on={ticks.has(part.key)}
            contested={contested.has(part.key)}
            danger={dangerOf(part)}
            onTick={(on) => setTicks(ticked(ticks, part.key, on, needs))}
          />
        ))}
      </ul>
      {others > 0 ? (
        <Text size="sm" c="dimmed">
          The check has {others === 1 ? 'one remark' : `${others} remarks`} about it, which the
          editor shows under Problems.
        </Text>
      ) : null}
      {error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(error)}
        </Text>
      ) : null}
      <div className={classes.foot}>
        <Text size="sm" c="dimmed">
          Cost <Money usd={proposal.spent_usd} />. Nothing is published.
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDismiss} disabled={busy}>
            Dismiss
          </Button>
          <Button onClick={() => onAccept(taken)} loading={busy} disabled={taken.length === 0}>
            {accept} {taken.length === shown.length ? '' : `(${taken.length})`}
          </Button>
        </Group>
      </div>
    </Stack>
  );
}
