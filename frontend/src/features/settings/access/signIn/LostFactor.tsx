import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, messageOf } from '../../../../api/http/client.ts';
import type { Member } from '../../../../api/types/types.ts';
import { confirm } from '../../../../ui/confirm.tsx';

/** Lets an admin take the second factor off a member who lost it. */
export function LostFactor({ member }: { member: Member }) {
  const take = useMutation({ mutationFn: () => api.delete(`members/${member.id}/second-factor/`) });
  const ask = async () => {
    const text = `${member.user.name} is signed out everywhere, and signs in with the password alone until they set up another. Be sure that it is they who ask.`;
    if (await confirm({ title: 'Take it off?', text, confirm: 'Take it off', danger: true }))
      take.mutate();
  };
  return (
    <div style={{ marginTop: 12 }}>
      <Button variant="subtle" size="xs" loading={take.isPending} onClick={() => void ask()}>
        Take off a lost second factor
      </Button>
      {take.error ? (
        <Text c="red" size="sm" role="alert">
          {messageOf(take.error)}
        </Text>
      ) : null}
      {take.isSuccess ? (
        <Text size="sm" role="status">
          It is off. They sign in with the password now.
        </Text>
      ) : null}
    </div>
  );
}
