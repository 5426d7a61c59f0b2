import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/http/client.ts';
import {
  hasPasskeys,
  passkeyMessage,
  showCode,
  showPasskey,
} from '../../api/http/workspace/people/factors.ts';
import type { Session } from '../../api/types/types.ts';
import { AuthLayout } from './AuthLayout.tsx';

/** After a right password: the code of an app, a recovery code, or a passkey. */
export function CodeStep({
  kinds,
  onIn,
  onBack,
}: {
  kinds: Session['second_factor'];
  onIn: () => Promise<unknown>;
  onBack: () => void;
}) {
  const [code, setCode] = useState('');
  const [isSpare, setSpare] = useState(false);
  const hasCode = kinds.includes('totp');
  const show = useMutation({
    mutationFn: (by: 'code' | 'passkey') => (by === 'code' ? showCode(code) : showPasskey()),
    onSuccess: onIn,
    onSettled: () => setCode(''),
  });
  const isOver = show.error instanceof ApiError && show.error.code === 'SignInOver';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    show.mutate('code');
  };
  const byCode = hasCode || isSpare;
  const text = isSpare
    ? 'Type one of the recovery codes that you kept. Each works once.'
    : hasCode
      ? 'Type the six digits that your authenticator app shows now.'
      : 'Your account asks for your passkey, too.';
  return (
    <AuthLayout title="One more step" text={text}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {byCode ? (
            <TextInput
              key={String(isSpare)}
              label={isSpare ? 'Recovery code' : 'Code'}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
              required
              withAsterisk={false}
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : null}
          {show.error ? (
            <Text c="red" size="sm" role="alert">
              {passkeyMessage(show.error)}
            </Text>
          ) : null}
          {byCode && !isOver ? (
            <Button type="submit" fullWidth mt="xs" loading={show.isPending}>
              Sign in
            </Button>
          ) : null}
          {kinds.includes('webauthn') && hasPasskeys() && !isOver ? (
            <Button
              variant={byCode ? 'default' : 'filled'}
              fullWidth
              loading={show.isPending}
              onClick={() => show.mutate('passkey')}
            >
              Use your passkey
            </Button>
          ) : null}
          <Text size="sm" ta="center">
            {kinds.includes('recovery_codes') && !isOver ? (
              <>
                <Anchor component="button" type="button" inherit onClick={() => setSpare(!isSpare)}>
                  {isSpare ? 'Use the app or passkey' : 'Use a recovery code'}
                </Anchor>
                {' · '}
              </>
            ) : null}
            <Anchor component="button" type="button" inherit onClick={onBack}>
              Begin again
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  );
}
