import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Dispute } from '../../../../graph/document/patch.ts';
import { useEditor } from '../../../../store/editor.ts';
import { resolveConflict } from '../../../../store/saving.ts';
import ui from '../../../../ui/ui.module.css';
import classes from '../../editor.module.css';
import { fieldName, sideText, titleOf } from './words.ts';

type Side = 'mine' | 'theirs';
const keyOf = (dispute: Dispute) => `${dispute.kind}:${dispute.id}`;

interface DisputeCardProps {
  dispute: Dispute;
  title: string;
  who: string;
  side: Side;
  onSide: (side: Side) => void;
}

function DisputeCard({ dispute, title, who, side, onSide }: DisputeCardProps) {
  return (
    <div className={classes.dispute}>
      <div className={classes.disputeHead}>
        <strong className="gw-truncate">{title}</strong>
        <SegmentedControl
          size="xs"
          value={side}
          onChange={(value) => onSide(value as Side)}
          data={[
            { value: 'mine', label: 'Keep mine' },
            { value: 'theirs', label: 'Take theirs' },
          ]}
          aria-label={`Whose ${title}`}
        />
      </div>
      <div className={classes.sides}>
        <span />
        <Text size="xs" c="dimmed">
          Mine
        </Text>
        <Text size="xs" c="dimmed">
          {who === 'Somebody else' ? 'Theirs' : who}
        </Text>
        {dispute.fields.map((field) => (
          <Fragment key={field}>
            <Text size="xs" c="dimmed">
              {fieldName(field)}
            </Text>
            <span data-lost={side === 'theirs'}>{sideText(dispute.mine, field)}</span>
            <span data-lost={side === 'mine'}>{sideText(dispute.theirs, field)}</span>
          </Fragment>
        ))}
      </div>
    </div>
  );
}

interface ConflictDialogProps {
  /** Who changed the same, as a name. */
  who: string;
  onClose: () => void;
}

/** Two people changed the same field: who wins, thing by thing. Everything else is merged and saved already. */
export function ConflictDialog({ who, onClose }: ConflictDialogProps) {
  const conflict = useEditor((state) => state.conflict);
  const records = useEditor((state) => state.records);
  const [sides, setSides] = useState<Record<string, Side>>({});
  if (!conflict) return null;
  const sideOf = (key: string): Side => sides[key] ?? 'mine';
  const all = (side: Side) =>
    setSides(Object.fromEntries(conflict.disputes.map((dispute) => [keyOf(dispute), side])));
  return (
    <Modal opened onClose={onClose} size="lg" title="Changed here and elsewhere">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Both changed the same words. Choose which to keep; until then yours stay on your screen
          and theirs stay saved. Everything else is merged.
        </Text>
        {conflict.disputes.map((dispute) => (
          <DisputeCard
            key={keyOf(dispute)}
            dispute={dispute}
            title={titleOf(dispute, records)}
            who={who}
            side={sideOf(keyOf(dispute))}
            onSide={(side) => setSides({ ...sides, [keyOf(dispute)]: side })}
          />
        ))}
        <Group justify="space-between" className={ui.dialogFoot}>
          <Group gap="xs">
            <Button variant="subtle" color="gray" size="xs" onClick={() => all('mine')}>
              All mine
            </Button>
            <Button variant="subtle" color="gray" size="xs" onClick={() => all('theirs')}>
              All theirs
            </Button>
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Later
            </Button>
            <Button
              onClick={() => {
                resolveConflict(sideOf);
                onClose();
              }}
            >
              Merge and save
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
