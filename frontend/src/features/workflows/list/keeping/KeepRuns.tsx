import { Radio, Stack, Text } from '@mantine/core';
import { confirm } from '../../../../ui/confirm.tsx';
import { DurationInput } from '../../../../ui/format/duration/DurationInput.tsx';
import {
  DAY_MS,
  daysOf,
  inDays,
  keepsFewer,
  MAX_DAYS,
  type Keeping,
  type OldRuns,
} from './retention.ts';

const WAYS: readonly { value: OldRuns; label: string; description: string }[] = [
  {
    value: 'archive',
    label: 'Archive them',
    description: 'Each goes into a compressed file. It stays in lists, and opens as before.',
  },
  {
    value: 'delete',
    label: 'Delete them',
    description: 'A run goes with its log, state, files, decisions and comments.',
  },
];

/** How long finished runs are kept, what becomes of them then, and what is never touched. */
export function KeepRuns({
  keeping,
  onChange,
}: {
  keeping: Keeping;
  onChange: (keeping: Keeping) => void;
}) {
  return (
    <Stack gap={6}>
      <DurationInput
        label="Keep finished runs for"
        description="Counted from the end of a run. Empty keeps them for ever."
        placeholder="For ever"
        min={DAY_MS}
        max={MAX_DAYS * DAY_MS}
        step={DAY_MS}
        value={keeping.days === null ? null : keeping.days * DAY_MS}
        onChange={(ms) => onChange({ ...keeping, days: daysOf(ms) })}
      />
      {/* always there: what came only with a number would move the button that is being pressed */}
      <Radio.Group
        label="After that"
        value={keeping.then}
        onChange={(then) =>
          onChange({ ...keeping, then: then === 'delete' ? 'delete' : 'archive' })
        }
      >
        <Stack gap="xs" mt={4}>
          {WAYS.map((way) => (
            <Radio key={way.value} {...way} disabled={keeping.days === null} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        <b>Never touched:</b> runs that wait or are under way, runs that somebody keeps, the audit
        log, what was spent, and facts. A run and its child runs go together, once all of them have
        been over for that long.
      </Text>
    </Stack>
  );
}

/** Ask before runs that are kept now are deleted. Gives true when nothing is, or the person says yes. */
export async function mayKeep(before: Keeping, after: Keeping): Promise<boolean> {
  if (after.days === null || !keepsFewer(before, after)) return true;
  const text = `Within the hour, runs that have been over for more than ${inDays(after.days)} are deleted with their logs, and from then on every hour. This cannot be undone.`;
  return confirm({
    title: `Keep runs for ${inDays(after.days)} only?`,
    text,
    confirm: 'Delete older runs',
    danger: true,
  });
}
