import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError, api, messageOf } from '../../../api/http/client.ts';
import { modelsQuery } from '../../../api/http/queries.ts';
import type { ModelProvider } from '../../../api/types/types.ts';
import { headersOf, type PriceDraft, pricesOf, providerId } from './provider.ts';
import classes from '../settings.module.css';
import { useSave } from '../SettingsSection.tsx';

/** Add a server by its address, or change what is known of one. */
export function ProviderForm({
  known,
  onDone,
}: {
  known: ModelProvider | null;
  onDone: () => void;
}) {
  const [label, setLabel] = useState(known?.label ?? '');
  const [address, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [headers, setHeaders] = useState('');
  const [models, setModels] = useState<string[]>(known?.named ?? []);
  const [prices, setPrices] = useState<PriceDraft>(() => priceDraft(known));
  const [accept, setAccept] = useState(false);
  const save = useSave(
    modelsQuery.queryKey,
    () => {
      const written = {
        ...(key ? { key } : {}),
        ...(headers.trim() ? { headers: headersOf(headers) } : {}),
      };
      if (known)
        return api.patch(`models/providers/${known.id}/`, {
          label,
          ...written,
          models,
          prices: pricesOf(prices),
        });
      return api.post('models/providers/', {
        id: providerId(label),
        label,
        base_url: address.trim(),
        models,
        accept_address: accept,
        ...written,
      });
    },
    onDone,
  );
  const asks = save.error instanceof ApiError && save.error.code === 'AddressNeedsAcceptance';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description={
            known ? undefined : `Its models are called ${providerId(label) || 'name'}/model`
          }
          required
          withAsterisk={false}
          value={label}
          data-autofocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        {known ? null : (
          <TextInput
            label="Address"
            description="Of its API, up to and with /v1"
            placeholder="https://llm.example.com/v1"
            required
            withAsterisk={false}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="Key"
          description={
            known?.has_key
              ? 'Leave it empty to keep the stored one'
              : 'If the server asks for one. It cannot be read again after this'
          }
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Textarea
          label="Headers"
          description={
            known && known.headers.length > 0
              ? `Stored: ${known.headers.join(', ')}. What is written here replaces them`
              : 'Sent with every call, one in a line: Name: value'
          }
          autosize
          minRows={1}
          maxRows={6}
          value={headers}
          onChange={(event) => setHeaders(event.currentTarget.value)}
        />
        <TagsInput
          label="Models"
          description="Only names that the server does not list by itself"
          value={models}
          onChange={setModels}
        />
        {known ? <Prices models={known.models} prices={prices} onChange={setPrices} /> : null}
        {asks || accept ? (
          <Checkbox
            label="This is the machine that Graphwright runs on. Accept exactly this address."
            checked={accept}
            onChange={(event) => setAccept(event.currentTarget.checked)}
          />
        ) : null}
        {save.error && !(asks && accept) ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {known ? 'Save' : 'Add'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function priceDraft(known: ModelProvider | null): PriceDraft {
  return Object.fromEntries(
    Object.entries(known?.prices ?? {}).map(([name, price]) => [
      name,
      { input: price.input_per_million, output: price.output_per_million },
    ]),
  );
}

/** What each model costs: without a price the workspace's rule for unknown prices counts. */
function Prices({
  models,
  prices,
  onChange,
}: {
  models: readonly string[];
  prices: PriceDraft;
  onChange: (prices: PriceDraft) => void;
}) {
  const names = [...new Set([...models, ...Object.keys(prices)])];
  if (names.length === 0) return null;
  return (
    <fieldset className={classes.prices}>
      <legend>Prices, USD per million tokens</legend>
      {names.map((name) => {
        const price = prices[name] ?? { input: '', output: '' };
        const set = (part: Partial<typeof price>) =>
          onChange({ ...prices, [name]: { ...price, ...part } });
        return (
          <div key={name}>
            <span className="gw-mono">{name}</span>
            <NumberInput
              size="xs"
              aria-label={`Input price of ${name}`}
              placeholder="input"
              min={0}
              hideControls
              value={price.input}
              onChange={(value) => set({ input: String(value) })}
            />
            <NumberInput
              size="xs"
              aria-label={`Output price of ${name}`}
              placeholder="output"
              min={0}
              hideControls
              value={price.output}
              onChange={(value) => set({ output: String(value) })}
            />
          </div>
        );
      })}
    </fieldset>
  );
}

/** Set or replace the key of a known provider. */
export function KeyForm({ provider, onDone }: { provider: ModelProvider; onDone: () => void }) {
  const [key, setKey] = useState('');
  const save = useSave(
    modelsQuery.queryKey,
    () => api.patch(`models/providers/${provider.id}/`, { key }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PasswordInput
          label="Key"
          description={`Sent to ${new URL(provider.base_url).host} only. It cannot be read again after this`}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
