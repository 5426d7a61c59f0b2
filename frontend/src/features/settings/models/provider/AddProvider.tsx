import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import { type Preset, presetsQuery } from '../../../../api/http/workspace/models.ts';
import { useSave } from '../../SettingsSection.tsx';
import { FindModels, needsAccepting } from './FindModels.tsx';
import { KeyForm } from './KeyForm.tsx';
import { RatesFields } from '../RatesFields.tsx';
import { SentFields } from './SentFields.tsx';
import { FREE, NO_RATES, fieldsOf, headersOf, isAtHome } from './provider.ts';
import { nameOf, providerId, ratesBody } from './provider.ts';
import classes from '../models.module.css';

const PROTOCOLS = [
  { value: 'openai_chat', label: 'OpenAI Chat Completions' },
  { value: 'openai_responses', label: 'OpenAI Responses' },
  { value: 'anthropic', label: 'Anthropic Messages' },
  { value: 'google', label: 'Google Gemini' },
];
const EMPTY = { address: '', name: '', key: '', headers: '', fields: '', protocol: 'openai_chat' };

/** Add a server by its address, or set the key of a known provider. */
export function AddProvider({ onDone }: { onDone: () => void }) {
  const { data: presets } = useQuery(presetsQuery);
  const [preset, setPreset] = useState<Preset | null>(null);
  const chosen = preset?.id ?? 'other';
  return (
    <Stack gap="sm">
      <Select
        label="What it is"
        allowDeselect={false}
        searchable
        data={(presets ?? []).map(({ id, label }) => ({ value: id, label }))}
        value={presets ? chosen : null}
        onChange={(id) => setPreset(presets?.find((each) => each.id === id) ?? null)}
      />
      {preset?.hint ? (
        <Text size="sm" c="dimmed">
          {preset.hint}
        </Text>
      ) : null}
      {preset?.known ? (
        <KeyForm key={chosen} provider={preset.known} address={preset.base_url} onDone={onDone} />
      ) : (
        <ServerForm key={chosen} preset={preset} onDone={onDone} />
      )}
    </Stack>
  );
}

function ServerForm({ preset, onDone }: { preset: Preset | null; onDone: () => void }) {
  const [draft, setDraft] = useState({
    ...EMPTY,
    address: preset?.base_url ?? '',
    name: preset?.name ?? '',
    protocol: preset?.protocol ?? 'openai_chat',
  });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const [models, setModels] = useState<string[]>([]);
  const [rates, setRates] = useState(NO_RATES);
  const [saidFree, setSaidFree] = useState<boolean | null>(null);
  const [accept, setAccept] = useState(false);
  const [asked, setAsked] = useState(false);
  const isFree = saidFree ?? (preset?.free || isAtHome(draft.address));
  const name = draft.name || nameOf(draft.address);
  const server = {
    protocol: draft.protocol,
    base_url: draft.address.trim(),
    ...(draft.key ? { key: draft.key } : {}),
    ...(draft.headers.trim() ? { headers: headersOf(draft.headers) } : {}),
    accept_address: accept,
  };
  const extra = fieldsOf(draft.fields);
  const save = useSave(
    modelsQuery.queryKey,
    () => {
      const price = ratesBody(isFree ? FREE : rates);
      return api.post('models/providers/', {
        ...server,
        id: providerId(name),
        label: name,
        models,
        ...(extra && Object.keys(extra).length > 0 ? { extra_body: extra } : {}),
        ...(price ? { prices: { '*': price } } : {}),
      });
    },
    onDone,
  );
  const asks = asked || needsAccepting(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (extra !== null) save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Address"
          description="Where its API begins, such as https://llm.example.com/v1"
          required
          withAsterisk={false}
          data-autofocus
          value={draft.address}
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description={`Its models are called ${providerId(name) || 'name'}/model`}
          placeholder={nameOf(draft.address)}
          required={name === ''}
          withAsterisk={false}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <PasswordInput
          label="Key"
          description={
            preset?.key === 'needed'
              ? 'It cannot be read again after this'
              : 'If the server asks for one. It cannot be read again after this'
          }
          autoComplete="off"
          required={preset?.key === 'needed'}
          withAsterisk={false}
          value={draft.key}
          onChange={(event) => set({ key: event.currentTarget.value })}
        />
        <FindModels server={server} onAsked={() => setAsked(true)} />
        <fieldset className={classes.group}>
          <legend>Price of its models, USD per million tokens</legend>
          <Stack gap="xs">
            <Checkbox
              label="They cost nothing"
              checked={isFree}
              onChange={(event) => setSaidFree(event.currentTarget.checked)}
            />
            {isFree ? null : <RatesFields rates={rates} onChange={setRates} />}
            {isFree || rates.input !== '' || rates.output !== '' ? null : (
              <Text size="xs" c="dimmed">
                Left empty, the built-in price list counts where it knows a model; else calls are
                refused unless the workspace allows models without a price.
              </Text>
            )}
          </Stack>
        </fieldset>
        <details className={classes.more}>
          <summary>Protocol, headers, names of models</summary>
          <Stack gap="sm">
            <Select
              label="Protocol"
              allowDeselect={false}
              data={PROTOCOLS}
              value={draft.protocol}
              onChange={(protocol) => protocol && set({ protocol })}
            />
            <SentFields
              headers={draft.headers}
              onHeaders={(headers) => set({ headers })}
              fields={draft.fields}
              onFields={(fields) => set({ fields })}
              takesFields={draft.protocol !== 'google'}
            />
            <TagsInput
              label="Models"
              description="Only names that the server does not list by itself"
              value={models}
              onChange={setModels}
            />
          </Stack>
        </details>
        {extra === null ? (
          <Text c="red" size="sm" role="alert">
            The extra fields are not a JSON object.
          </Text>
        ) : null}
        {save.error && !needsAccepting(save.error) ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        {asks || accept ? (
          <div role="alert">
            <Checkbox
              label="This is the machine that Graphwright runs on. Accept exactly this address."
              checked={accept}
              onChange={(event) => setAccept(event.currentTarget.checked)}
            />
          </div>
        ) : null}
        <Group justify="flex-end" gap="xs" className={classes.verbs}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
