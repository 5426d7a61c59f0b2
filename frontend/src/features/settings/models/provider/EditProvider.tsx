import { Button, Group, PasswordInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import type { ModelProvider } from '../../../../api/types/types.ts';
import { useSave } from '../../SettingsSection.tsx';
import { CapabilityFields } from './CapabilityFields.tsx';
import { SentFields } from './SentFields.tsx';
import { type Capabilities, fieldsOf, headersOf } from './provider.ts';

/** Change what is known of a server; its address stays, for a key is bound to it. */
export function EditProvider({ known, onDone }: { known: ModelProvider; onDone: () => void }) {
  const [label, setLabel] = useState(known.label);
  const [key, setKey] = useState('');
  const [headers, setHeaders] = useState('');
  const [fields, setFields] = useState(() =>
    Object.keys(known.extra_body).length > 0 ? JSON.stringify(known.extra_body, null, 2) : '',
  );
  const [models, setModels] = useState<string[]>(known.named);
  const [said, setSaid] = useState(known.capabilities as Record<string, Capabilities>);
  const extra = fieldsOf(fields);
  const takesFields = known.protocol !== 'google';
  const save = useSave(
    modelsQuery.queryKey,
    () =>
      api.patch(`models/providers/${known.id}/`, {
        label,
        ...(key ? { key } : {}),
        ...(headers.trim() ? { headers: headersOf(headers) } : {}),
        ...(takesFields ? { extra_body: extra } : {}),
        models,
        capabilities: said,
      }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (extra !== null) save.mutate(undefined);
  };
  const problem = extra === null ? 'The extra fields are not a JSON object.' : null;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          value={label}
          data-autofocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <PasswordInput
          label="Key"
          description={
            known.has_key
              ? 'Leave it empty to keep the stored one'
              : 'If the server asks for one. It cannot be read again after this'
          }
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <SentFields
          headers={headers}
          onHeaders={setHeaders}
          fields={fields}
          onFields={setFields}
          stored={known.headers}
          takesFields={takesFields}
        />
        <TagsInput
          label="Models"
          description="Only names that the server does not list by itself"
          value={models}
          onChange={setModels}
        />
        <CapabilityFields
          models={[...new Set([...models, ...known.models])]}
          said={said}
          onChange={setSaid}
        />
        {problem || save.error ? (
          <Text c="red" size="sm" role="alert">
            {problem ?? messageOf(save.error)}
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
