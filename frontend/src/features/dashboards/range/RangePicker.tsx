import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useEscape } from '../../../ui/keys/useEscape.ts';
import { daysName, refusedDays } from './range.ts';

interface RangePickerProps {
  ranges: { value: string; label: string }[];
  /** One of the ranges, or null while days of one's own hold. */
  value: string | null;
  since: string | undefined;
  until: string | undefined;
  /** So many days of one's own are shown at once. */
  most: number;
  onRange: (value: string) => void;
  onDays: (since: string, until: string) => void;
}

/** The last hours or days, or days of one's own. */
export function RangePicker({
  ranges,
  value,
  since,
  until,
  most,
  onRange,
  onDays,
}: RangePickerProps) {
  const [opened, setOpened] = useState(false);
  useEscape(opened, () => setOpened(false));
  return (
    <Group gap={8}>
      <SegmentedControl value={value ?? ''} onChange={onRange} aria-label="Range" data={ranges} />
      <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus withRoles>
        <Popover.Target>
          <Button
            variant={value === null ? 'light' : 'default'}
            leftSection={<IconCalendar size={16} />}
            onClick={() => setOpened(!opened)}
          >
            {value === null && since && until ? daysName(since, until) : 'Own dates'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Own dates">
          <Days
            since={since}
            until={until}
            most={most}
            onDays={(first, last) => {
              setOpened(false);
              onDays(first, last);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

const today = () => new Date().toISOString().slice(0, 10);

type DaysProps = Pick<RangePickerProps, 'since' | 'until' | 'most' | 'onDays'>;

function Days({ since, until, most, onDays }: DaysProps) {
  const [first, setFirst] = useState(since ?? today());
  const [last, setLast] = useState(until ?? today());
  const refused = refusedDays(first, last, most);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (first && last && !refused) onDays(first, last);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          type="date"
          label="First day"
          value={first}
          onChange={(event) => setFirst(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Last day"
          value={last}
          onChange={(event) => setLast(event.currentTarget.value)}
          description={`${most} days at most`}
          error={refused}
        />
        <Button type="submit" disabled={!first || !last || refused !== null}>
          Show these days
        </Button>
      </Stack>
    </form>
  );
}
