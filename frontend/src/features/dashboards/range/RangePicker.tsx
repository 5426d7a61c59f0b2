import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useEscape } from '../../../ui/keys/useEscape.ts';
import { daysName } from './range.ts';

interface RangePickerProps {
  ranges: { value: string; label: string }[];
  /** One of the ranges, or null while days of one's own hold. */
  value: string | null;
  since: string | undefined;
  until: string | undefined;
  onRange: (value: string) => void;
  onDays: (since: string, until: string) => void;
}

/** The last hours or days, or days of one's own. */
export function RangePicker({ ranges, value, since, until, onRange, onDays }: RangePickerProps) {
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

function Days({ since, until, onDays }: Pick<RangePickerProps, 'since' | 'until' | 'onDays'>) {
  const [first, setFirst] = useState(since ?? today());
  const [last, setLast] = useState(until ?? today());
  const backwards = first !== '' && last !== '' && first > last;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (first && last && !backwards) onDays(first, last);
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
          error={backwards ? 'The first day comes first' : null}
        />
        <Button type="submit" disabled={!first || !last || backwards}>
          Show these days
        </Button>
      </Stack>
    </form>
  );
}
