import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { Channel } from '../../../api/http/workspace/telling.ts';

type Quiet = Channel['quiet'];

interface QuietFieldsProps {
  quiet: Quiet;
  zone: string;
  onQuiet: (quiet: Quiet) => void;
  onZone: (zone: string) => void;
}

/** When a channel is quiet: what would be told then waits for the end of it, and comes as one. */
export function QuietFields({ quiet, zone, onQuiet, onZone }: QuietFieldsProps) {
  const zones = useMemo(
    () => [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])],
    [zone],
  );
  return (
    <>
      <Select
        label="Time zone"
        data={zones}
        value={zone}
        onChange={(value) => onZone(value ?? 'UTC')}
        allowDeselect={false}
        searchable
      />
      <Switch
        label="Quiet hours"
        description="What happens then is told in one message at their end."
        checked={quiet !== null}
        onChange={(event) =>
          onQuiet(event.currentTarget.checked ? { begin: '20:00', end: '07:00' } : null)
        }
      />
      {quiet ? (
        <Group grow>
          <TextInput
            type="time"
            label="From"
            value={quiet.begin}
            onChange={(event) => onQuiet({ ...quiet, begin: event.currentTarget.value })}
            required
            withAsterisk={false}
          />
          <TextInput
            type="time"
            label="Until"
            value={quiet.end}
            onChange={(event) => onQuiet({ ...quiet, end: event.currentTarget.value })}
            required
            withAsterisk={false}
          />
        </Group>
      ) : null}
    </>
  );
}
