import { MultiSelect, NumberInput, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { graphsQuery } from '../../../api/http/queries.ts';
import type { Json } from '../../../api/types/types.ts';
import { EVENTS, heardKinds, MARK, PERCENTS, WAITING, withKinds } from './eventWords.ts';

interface FieldsProps {
  /** The workflow that is started: what it does itself starts it never. */
  graphId: string;
  config: Record<string, Json>;
  readOnly?: boolean;
  onChange: (config: Record<string, Json>) => void;
}

const LONGEST_MINUTES = 30 * 24 * 60;

/** What has to happen, of which workflow, after how long. */
export function EventFields({ graphId, config, readOnly = false, onChange }: FieldsProps) {
  const { data: graphs = [] } = useQuery(graphsQuery());
  const kinds = heardKinds(config);
  const watched = typeof config['workflow'] === 'string' ? config['workflow'] : '';
  const others = graphs
    .filter(({ id }) => id !== graphId)
    .map(({ id, name }) => ({ value: id, label: name }));
  const known = watched === '' || others.some(({ value }) => value === watched);
  const choices = [
    { value: '', label: 'Any other workflow' },
    ...others,
    ...(known ? [] : [{ value: watched, label: 'A workflow that is gone' }]),
  ];
  const watch = (workflow: string | null) => onChange(withKinds({ ...config, workflow }, kinds));
  return (
    <>
      <MultiSelect
        label="It starts when"
        data={[...EVENTS]}
        value={kinds}
        readOnly={readOnly}
        searchable
        error={kinds.length === 0 ? 'Choose what starts it' : null}
        onChange={(on) => onChange(withKinds(config, on))}
      />
      <Select
        label="Where"
        description="What happens in runs of drafts, and in this workflow itself, starts nothing."
        data={choices}
        value={watched}
        readOnly={readOnly}
        searchable
        allowDeselect={false}
        onChange={watch}
      />
      {kinds.includes(WAITING) ? (
        <NumberInput
          label="Minutes that an item waits"
          min={1}
          max={LONGEST_MINUTES}
          allowDecimal={false}
          value={Number(config['minutes'] ?? 60)}
          readOnly={readOnly}
          onChange={(minutes) => onChange({ ...config, minutes: Number(minutes) })}
        />
      ) : null}
      {kinds.includes(MARK) ? (
        <Select
          label="Mark of the budget"
          data={PERCENTS}
          value={String(config['percent'] ?? 90)}
          readOnly={readOnly}
          allowDeselect={false}
          onChange={(percent) => onChange({ ...config, percent: Number(percent) })}
        />
      ) : null}
    </>
  );
}
