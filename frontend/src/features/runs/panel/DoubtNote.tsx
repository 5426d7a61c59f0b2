import { Alert } from '@mantine/core';
import { IconQuestionMark } from '@tabler/icons-react';
import { saidOfDoubt } from '../../../run/ended/doubts.ts';
import type { InterruptView } from '../../../run/fold/model.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { usePersonOf } from '../usePersonOf.ts';

interface DoubtNoteProps {
  store: RunStore;
  /** All questions of the activation; those about calls in doubt are told. */
  interrupts: readonly InterruptView[];
}

/** Who said what of a call in doubt, and when. */
export function DoubtNote({ store, interrupts }: DoubtNoteProps) {
  const personOf = usePersonOf(store);
  return interrupts.map((interrupt) => {
    const said = saidOfDoubt(interrupt, personOf);
    const { requestId, resolvedAt, comment, by } = interrupt;
    if (said === null || resolvedAt === null) return null;
    return (
      <Alert
        key={requestId}
        color={interrupt.decision === 'skip' ? 'violet' : 'gray'}
        icon={<IconQuestionMark size={16} />}
        mb="sm"
      >
        {said}, <RelativeTime at={new Date(resolvedAt).toISOString()} />.
        {comment && by !== null ? ` “${comment}”` : ''}
      </Alert>
    );
  });
}
