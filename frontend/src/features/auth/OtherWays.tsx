import { Button, Divider, Stack, Text } from '@mantine/core';
import { IconBuilding, IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import {
  hasPasskeys,
  passkeyMessage,
  signInByPasskey,
} from '../../api/http/workspace/people/factors.ts';
import { followTo, goTo } from '../../api/http/workspace/people/signIn.ts';
import type { Session } from '../../api/types/types.ts';

/**
 * Ways in without a password: firms' own sign-ins, and a passkey unless one follows an invitation.
 * `alone`: there is no other way beside them.
 */
export function OtherWays({
  providers,
  next,
  invitation,
  alone = false,
  onIn,
}: {
  providers: Session['providers'];
  next: string;
  invitation?: string;
  alone?: boolean;
  onIn: () => Promise<unknown>;
}) {
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: onIn });
  const firm = useMutation({
    mutationFn: (id: string) => (invitation ? followTo(id, invitation) : goTo(id, next)),
  });
  const passkeys = !invitation && hasPasskeys();
  if (!passkeys && providers.length === 0) return null;
  const failed = passkey.error ?? firm.error;
  return (
    <Stack gap="sm" mt={alone ? 'xs' : 'md'}>
      {alone ? null : <Divider label="or" />}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          variant={alone ? 'filled' : 'default'}
          fullWidth
          leftSection={<IconBuilding size={16} aria-hidden />}
          loading={firm.isPending && firm.variables === provider.id}
          onClick={() => firm.mutate(provider.id)}
        >
          Continue with {provider.name}
        </Button>
      ))}
      {passkeys ? (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={16} aria-hidden />}
          loading={passkey.isPending}
          onClick={() => passkey.mutate()}
        >
          Use a passkey
        </Button>
      ) : null}
      {failed ? (
        <Text c="red" size="sm" role="alert">
          {passkeyMessage(failed)}
        </Text>
      ) : null}
    </Stack>
  );
}
