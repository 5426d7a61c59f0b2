import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useSession } from '../../../../api/http/queries.ts';
import { useForesight } from '../../ahead/queries.ts';
import { briefOf, isGrave } from '../../ahead/words.ts';
import type { Verb } from '../answer.ts';
import { otherAt } from '../rights/claimed.ts';
import { typedFor } from './gesture.ts';
import { type VerbProps, VerbButton } from './VerbButton.tsx';

const VERB: Verb = 'approve';

/** Asks once more: somebody else is at it, what follows is dangerous, or the sum has to be typed. */
export function ConfirmVerbs({ control, hints }: VerbProps) {
  const { item, draft, edits, problems, gesture, change, leave } = control;
  const field = useRef<HTMLInputElement>(null);
  const me = useSession().data?.user?.id;
  const other = otherAt(item, me);
  useEffect(() => field.current?.focus(), []);
  const word = typedFor(item, draft);
  // The item says it in full, often below what is on screen.
  const grave = useForesight(item, 'approved', edits, gesture === 'mean').data?.steps.filter(
    isGrave,
  );
  const sent = grave?.length
    ? `: ${grave.map((step) => `${step.label} ${briefOf(step)}`).join(', then ')}`
    : '';
  return (
    <Stack gap="xs">
      <Text size="sm" role="alert" fw={500}>
        {other ? `${other} is at it. ` : ''}
        {gesture === 'mean' ? `What follows cannot be taken back${sent}. ` : ''}
        {gesture === 'type' ? `Type ${word} if you mean it.` : 'Approve anyway?'}
      </Text>
      {gesture === 'type' ? (
        <TextInput
          ref={field}
          size="sm"
          maw={240}
          aria-label={`Type ${word} to approve`}
          autoComplete="off"
          value={draft.typed}
          error={problems.typed}
          onChange={(event) => change({ typed: event.currentTarget.value })}
        />
      ) : null}
      <Group gap="xs">
        <VerbButton
          control={control}
          verb={VERB}
          label={gesture === 'type' ? 'Approve' : 'Approve anyway'}
          look="main"
          keys={hints ? 'Mod+Enter' : undefined}
        />
        <Button variant="subtle" color="gray" onClick={leave}>
          Back
        </Button>
      </Group>
    </Stack>
  );
}
