import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Dispute } from '../../../graph/document/patch.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { useEditor } from '../../../store/editor.ts';
import { resolveConflict } from '../../../store/saving.ts';
import { humanise } from '../../../inspector/form/field.ts';
import classes from '../editor.module.css';

type Side = 'mine' | 'theirs';
const keyOf = (dispute: Dispute) => `${dispute.kind}:${dispute.id}`;

function at(value: unknown, path: string): string {
  let current = value;
  for (const part of path.split('.').filter(Boolean))
    current = isRecord(current) ? current[part] : undefined;
  if (current === undefined || current === null) return path ? 'not set' : 'removed';
  return typeof current === 'string' ? current : JSON.stringify(current);
}

function titleOf({ kind, id, mine, theirs }: Dispute): string {
  const label = [mine, theirs]
    .map((side) => (isRecord(side) && typeof side.label === 'string' ? side.label : ''))
    .find(Boolean);
  if (kind === 'setting') return humanise(id);
  return label ?? (kind === 'node' ? id : humanise(kind));
}

function DisputeCard({
  dispute,
  side,
  onSide,
}: {
  dispute: Dispute;
  side: Side;
  onSide: (side: Side) => void;
}) {
  return (
    <div className={classes.dispute}>
      <div className={classes.disputeHead}>
        <strong className="gw-truncate">{titleOf(dispute)}</strong>
        <SegmentedControl
          size="xs"
          value={side}
          onChange={(value) => onSide(value as Side)}
          data={[
            { value: 'mine', label: 'Keep mine' },
            { value: 'theirs', label: 'Take theirs' },
          ]}
          aria-label={`Whose ${titleOf(dispute)}`}
        />
      </div>
      <div className={classes.sides}>
        <span />
        <Text size="xs" c="dimmed">
          Mine
        </Text>
        <Text size="xs" c="dimmed">
          Theirs
        </Text>
        {dispute.fields.map((field) => (
          <Fragment key={field}>
            <Text size="xs" c="dimmed">
              {field ? humanise(field.split('.').at(-1) ?? field) : 'All of it'}
            </Text>
            <span data-lost={side === 'theirs'}>{at(dispute.mine, field)}</span>
            <span data-lost={side === 'mine'}>{at(dispute.theirs, field)}</span>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** Two people changed the same field: who wins, node by node. Everything else is merged already. */
export function ConflictDialog() {
  const conflict = useEditor((state) => state.conflict);
  const [sides, setSides] = useState<Record<string, Side>>({});
  if (!conflict) return null;
  const sideOf = (key: string): Side => sides[key] ?? 'mine';
  const all = (side: Side) =>
    setSides(Object.fromEntries(conflict.disputes.map((dispute) => [keyOf(dispute), side])));
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      title="This was changed elsewhere too"
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          These fields were changed here and elsewhere since your last save: by somebody else, or by
          you in another tab. Nothing is lost until you choose; everything else is merged.
        </Text>
        {conflict.disputes.map((dispute) => (
          <DisputeCard
            key={keyOf(dispute)}
            dispute={dispute}
            side={sideOf(keyOf(dispute))}
            onSide={(side) => setSides({ ...sides, [keyOf(dispute)]: side })}
          />
        ))}
        <Group justify="space-between">
          <Group gap="xs">
            <Button variant="subtle" color="gray" size="xs" onClick={() => all('mine')}>
              All mine
            </Button>
            <Button variant="subtle" color="gray" size="xs" onClick={() => all('theirs')}>
              All theirs
            </Button>
          </Group>
          <Button
            onClick={() => {
              resolveConflict(sideOf);
              setSides({});
            }}
          >
            Merge and save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
