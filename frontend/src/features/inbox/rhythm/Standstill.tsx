import { Alert, Button, Group } from '@mantine/core';
import { IconArrowBackUp, IconEye, IconHourglass } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Interrupt } from '../../../api/types/types.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { useNow } from '../../../ui/format/useNow.ts';
import { isUnused, unusedText, unusedTitle } from '../decide/rights/notUsed.ts';
import { useConductor, useRhythm } from './conductor.ts';
import { secondsLeft } from './words.ts';

/** Why nothing can be decided here just now, and the way on; nothing where it can. */
export function Standstill({ item }: { item: Interrupt }) {
  const conductor = useConductor();
  const id = item.request_id;
  const isOpen = item.status === 'open';
  const held = useRhythm((state) => state.held.find((one) => one.id === id) ?? null);
  const frozen = useRhythm((state) => (state.cursor === id ? state.frozen : null));
  useEffect(() => {
    if (!isOpen) conductor?.dispatch({ type: 'closed', id });
  }, [conductor, id, isOpen]);
  if (conductor === null) return null;
  if (held !== null && isOpen)
    return (
      <Alert
        icon={<IconHourglass size={16} />}
        mb="md"
        color="accent"
        title="You have decided this"
      >
        <Group gap="xs">
          <Waiting until={held.until} word={held.verb === 'approve' ? 'approval' : 'rejection'} />
          {held.state === 'sending' ? null : (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArrowBackUp size={14} />}
              onClick={() => conductor.dispatch({ type: 'undo', id })}
            >
              Take it back
            </Button>
          )}
        </Group>
      </Alert>
    );
  if (frozen === 'changed' && isOpen)
    return (
      <Alert
        icon={<IconEye size={16} />}
        mb="md"
        color="yellow"
        role="alert"
        title="This changed while you looked at it"
      >
        <Group gap="xs">
          <span>Nothing was decided. Look at what is shown now before you do.</span>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<Kbd keys="Enter" />}
            onClick={() => conductor.dispatch({ type: 'looked', at: performance.now() })}
          >
            I have looked
          </Button>
        </Group>
      </Alert>
    );
  return isUnused(item) ? (
    <Alert icon={<IconArrowBackUp size={16} />} mb="md" color="yellow" title={unusedTitle(item)}>
      {unusedText(item)}
    </Alert>
  ) : null;
}

function Waiting({ until, word }: { until: number | null; word: string }) {
  const now = useNow(true);
  const left = until === null ? null : secondsLeft(until, now);
  return <span>{left ? `Your ${word} is sent in ${left} s.` : `Your ${word} is being sent.`}</span>;
}
