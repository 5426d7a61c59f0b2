import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { dueQuery } from '../../../api/http/runs/triggers.ts';
import type { Json } from '../../../api/types/types.ts';
import { DueTimes } from './DueTimes.tsx';
import { PatternFields } from './PatternFields.tsx';
import { policies } from '../words.ts';

interface FieldsProps {
  config: Record<string, Json>;
  onChange: (config: Record<string, Json>) => void;
}

/** When it is due, in which time zone, and what becomes of times that were missed. */
export function ScheduleFields({ config, onChange }: FieldsProps) {
  const cron = String(config['cron'] ?? '');
  const zone = String(config['zone'] ?? 'UTC');
  const [asked] = useDebouncedValue(cron.trim(), 300);
  const { data, error } = useQuery({ ...dueQuery(asked, zone), enabled: asked !== '' });
  const zones = useMemo(
    () => [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])],
    [zone],
  );
  return (
    <>
      <PatternFields
        cron={cron}
        error={error ? messageOf(error) : null}
        onChange={(line) => onChange({ ...config, cron: line })}
      />
      <Select
        label="Time zone"
        searchable
        data={zones}
        value={zone}
        onChange={(value) => onChange({ ...config, zone: value ?? 'UTC' })}
        allowDeselect={false}
      />
      {data && !error ? (
        <div>
          <Text size="sm" fw={500}>
            The next five times
          </Text>
          <DueTimes due={data} zone={zone} />
        </div>
      ) : null}
      <Select
        label="Times missed while the server was down"
        data={policies}
        value={String(config['missed'] ?? 'once')}
        onChange={(value) => onChange({ ...config, missed: value ?? 'once' })}
        allowDeselect={false}
      />
    </>
  );
}
