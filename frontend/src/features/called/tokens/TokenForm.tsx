import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../../api/http/client.ts';
import { graphsQuery } from '../../../api/http/queries.ts';
import { type NewApiToken, tokensQuery } from '../../../api/http/workspace/people/access.ts';
import { CopyOnce } from '../../../ui/page/CopyOnce.tsx';
import ui from '../../../ui/ui.module.css';
import { AccountFields, type TokenAccount } from './AccountFields.tsx';
import { endOf, LASTS, type Scope, SCOPES } from './scopes.ts';

export interface TokenDraft {
  name: string;
  scopes: Scope[];
  graphs: string[];
}

interface TokenFormProps {
  begin: TokenDraft;
  /** Whether the account of no person may be chosen. */
  isAdmin: boolean;
  onDone: () => void;
  /** It is made: what is shown now is not shown again, so that nothing but its own buttons may close it. */
  onMade?: () => void;
}

/** A new token: its name, what it may, for which workflows, until when. Its text is shown once. */
export function TokenForm({ begin, isAdmin, onDone, onMade }: TokenFormProps) {
  const client = useQueryClient();
  const { data: graphs } = useQuery(graphsQuery());
  const [name, setName] = useState(begin.name);
  const [all, setAll] = useState(false);
  const [scopes, setScopes] = useState<string[]>(begin.scopes);
  const [which, setWhich] = useState<string[]>(begin.graphs);
  const [tried, setTried] = useState(false);
  const [lasts, setLasts] = useState('90');
  const [account, setAccount] = useState<TokenAccount | null>(null);
  const make = useMutation({
    mutationFn: () =>
      api.post<NewApiToken>('tokens/', {
        name: name.trim(),
        scopes: all ? ['*'] : scopes,
        graphs: all ? [] : which,
        expires_at: endOf(lasts, Date.now()),
        ...(account ? { account } : {}),
      }),
    onSuccess: () => {
      onMade?.();
      return client.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  if (make.data)
    return (
      <CopyOnce
        label="Token"
        value={make.data.token}
        text="Copy it now: it is not shown again."
        onDone={onDone}
      />
    );
  const isNamed = (text: string) => text.trim() !== '';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (isNamed(name) && (!account || isNamed(account.name))) return make.mutate();
    const fields = [...event.currentTarget.querySelectorAll('input')];
    fields.find((field) => field.required && !isNamed(field.value))?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="Which program it is for."
          placeholder="ci-bot"
          required
          withAsterisk={false}
          maxLength={120}
          data-autofocus
          error={tried && !isNamed(name) ? 'Give the token a name.' : null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label="What it may"
          value={all ? 'all' : 'some'}
          onChange={(value) => setAll(value === 'all')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="some" label="Only what is ticked here" />
            {all ? null : (
              <Checkbox.Group aria-label="Scopes" value={scopes} onChange={setScopes}>
                <Stack gap={8} pl={28} py={4}>
                  {SCOPES.map((each) => (
                    <Checkbox
                      key={each.value}
                      value={each.value}
                      label={each.label}
                      description={each.text}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
            <Radio value="all" label="Everything that its owner may" />
          </Stack>
        </Radio.Group>
        {all ? null : (
          <MultiSelect
            label="For which workflows"
            placeholder={which.length > 0 ? '' : 'All of this workspace'}
            data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
            value={which}
            onChange={setWhich}
            searchable
            clearable
          />
        )}
        <Select
          label="How long it holds"
          data={LASTS}
          value={lasts}
          onChange={(value) => setLasts(value ?? '90')}
          allowDeselect={false}
        />
        {isAdmin ? <AccountFields value={account} onChange={setAccount} tried={tried} /> : null}
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!all && scopes.length === 0}>
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
