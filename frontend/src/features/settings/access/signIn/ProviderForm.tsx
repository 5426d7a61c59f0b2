import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldProblem, messageOf, request } from '../../../../api/http/client.ts';
import {
  type IdentityProvider,
  identityProvidersQuery,
} from '../../../../api/http/workspace/people/signIn.ts';
import { useSave } from '../../SettingsSection.tsx';
import { GroupMap } from './GroupMap.tsx';
import ui from '../../../../ui/ui.module.css';

const CALLBACK = `${window.location.origin}/sign-in/callback`;

/** Where the firm's provider is, as what this installation is known there, and what its groups give. */
export function ProviderForm({
  known,
  onDone,
}: {
  known: IdentityProvider | null;
  onDone: () => void;
}) {
  const [name, setName] = useState(known?.name ?? '');
  const [issuer, setIssuer] = useState(known?.issuer ?? '');
  const [clientId, setClientId] = useState(known?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [claim, setClaim] = useState(known?.groups_claim ?? 'groups');
  const [rows, setRows] = useState(known?.group_map ?? []);
  const save = useSave(
    identityProvidersQuery.queryKey,
    () =>
      request(known ? 'PUT' : 'POST', `identity-providers/${known ? `${known.id}/` : ''}`, {
        body: {
          name: name.trim(),
          issuer: issuer.trim(),
          client_id: clientId.trim(),
          ...(secret ? { secret } : {}),
          groups_claim: claim.trim(),
          group_map: rows.map((row) => ({ ...row, group: row.group.trim() })),
        },
      }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const wrongIssuer = fieldProblem(save.error, 'issuer');
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          Register this address with the provider first: <code>{CALLBACK}</code>
        </Text>
        <TextInput
          label="Name"
          description="It stands on the sign-in page: Continue with …"
          required
          withAsterisk={false}
          maxLength={60}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Issuer"
          placeholder="https://login.acme.example"
          required
          withAsterisk={false}
          maxLength={500}
          value={issuer}
          error={wrongIssuer}
          onChange={(event) => setIssuer(event.currentTarget.value)}
        />
        <TextInput
          label="Client ID"
          required
          withAsterisk={false}
          maxLength={300}
          value={clientId}
          onChange={(event) => setClientId(event.currentTarget.value)}
        />
        <PasswordInput
          label="Client secret"
          description={
            known
              ? 'Leave it empty to keep the one that is set.'
              : 'Kept sealed, never shown again.'
          }
          autoComplete="off"
          maxLength={1000}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <TextInput
          label="Claim with the groups"
          required
          withAsterisk={false}
          maxLength={60}
          value={claim}
          onChange={(event) => setClaim(event.currentTarget.value)}
        />
        <GroupMap rows={rows} onChange={setRows} />
        {save.error && !wrongIssuer ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {known ? 'Save' : 'Add it'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
