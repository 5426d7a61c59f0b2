import { Chip, Group } from '@mantine/core';
import { reasonIn, withPicked } from '../reasons.ts';

interface ReasonChipsProps {
  offered: readonly string[];
  /** The reason as it is written. */
  text: string;
  change: (text: string) => void;
}

/** Ready-made reasons; one that is clicked goes before what somebody has written. */
export function ReasonChips({ offered, text, change }: ReasonChipsProps) {
  return (
    <Group gap={6} role="group" aria-label="Reasons">
      {offered.map((reason) => (
        <Chip
          key={reason}
          size="xs"
          checked={reasonIn(text, offered) === reason}
          onChange={() => change(withPicked(text, reason, offered))}
        >
          {reason}
        </Chip>
      ))}
    </Group>
  );
}
