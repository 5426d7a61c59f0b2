import { Autocomplete, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import type { ModelPrice } from '../../../../api/http/workspace/models.ts';
import type { Models } from '../../../../api/types/types.ts';
import { dayIn } from '../../../../ui/format/days.ts';
import { useSave } from '../../SettingsSection.tsx';
import { NO_RATES, ratesBody } from '../provider/provider.ts';
import { RatesFields } from '../RatesFields.tsx';

/** Set what models cost from a day on. */
export function PriceForm({
  models,
  from,
  onDone,
}: {
  models: Models;
  /** The price to begin with, none for an empty form. */
  from: ModelPrice | null;
  onDone: () => void;
}) {
  const [provider, setProvider] = useState(from?.provider ?? models.providers[0]?.id ?? '');
  const [pattern, setPattern] = useState(from?.pattern ?? '*');
  const [day, setDay] = useState(from?.from_date ?? dayIn('UTC'));
  const [rates, setRates] = useState(
    from === null
      ? NO_RATES
      : {
          input: from.input_per_million,
          output: from.output_per_million,
          cached: from.cached_per_million ?? '',
        },
  );
  const price = ratesBody(rates);
  const save = useSave(
    modelsQuery.queryKey,
    () => api.post('models/prices/', { provider, pattern, from_date: day, ...price }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (price !== null) save.mutate(undefined);
  };
  const names = models.models.filter((each) => each.provider === provider).map((m) => m.label);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="Provider"
          disabled={from !== null}
          allowDeselect={false}
          searchable
          data={models.providers.map(({ id, label }) => ({ value: id, label }))}
          value={provider}
          onChange={(id) => id && setProvider(id)}
        />
        <Autocomplete
          label="Models"
          description="A name, or a pattern: * stands for any characters. What says most counts"
          required
          disabled={from !== null}
          withAsterisk={false}
          limit={30}
          data={['*', ...new Set(names)]}
          value={pattern}
          onChange={setPattern}
        />
        <TextInput
          label="From"
          description={`The day in UTC. What was spent stays as it was recorded${from === null ? '' : '; another day adds a price'}`}
          type="date"
          required
          withAsterisk={false}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <RatesFields rates={rates} onChange={setRates} />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={price === null}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
