import { Stack, Text } from '@mantine/core';
import { confirm } from '../../ui/confirm.tsx';
import { DurationInput } from '../../ui/format/DurationInput.tsx';
import { DAY_MS, daysOf, inDays, keepsFewer, MAX_DAYS } from './retention.ts';

/** How long finished runs are kept, what goes with them and what never does. */
export function KeepRuns({
  days,
  onChange,
}: {
  days: number | null;
  onChange: (days: number | null) => void;
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
        value={days === null ? null : days * DAY_MS}
        onChange={(ms) => onChange(daysOf(ms))}
      />
      <Text size="xs" c="dimmed">
        <b>Deleted with a run:</b> its log, state, files, decisions and comments.
      </Text>
      <Text size="xs" c="dimmed">
        <b>Never deleted:</b> runs that wait or are under way, the audit log, what was spent, and
        facts. A run and its child runs go together, once all of them have been over for that long.
      </Text>
    </Stack>
  );
}

/** Ask before runs that are kept now are deleted. Gives true when nothing is, or the person says yes. */
export async function mayKeep(before: number | null, after: number | null): Promise<boolean> {
  if (after === null || !keepsFewer(before, after)) return true;
  const text = `Within the hour, runs that have been over for more than ${inDays(after)} are deleted with their logs, and from then on every hour. This cannot be undone.`;
  return confirm({
    title: `Keep runs for ${inDays(after)} only?`,
    text,
    confirm: 'Delete older runs',
    danger: true,
  });
}
