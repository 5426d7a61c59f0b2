import { Radio, Stack, Text } from '@mantine/core';
import { messageOf } from '../../../../api/http/client.ts';
import { api } from '../../../../api/http/client.ts';
import { sessionQuery } from '../../../../api/http/queries.ts';
import type { Session } from '../../../../api/types/types.ts';
import { useSave } from '../../SettingsSection.tsx';

type Rule = NonNullable<Session['workspace']>['sign_in'];

const RULES: { value: Rule; label: string; description: string }[] = [
  {
    value: 'password',
    label: 'A password is enough',
    description: 'Who has set up a second factor is asked for it all the same.',
  },
  {
    value: 'second_factor',
    label: 'A second step beside the password',
    description: 'A code of an app or a passkey; who comes by the firm’s own sign-in has it there.',
  },
  {
    value: 'provider',
    label: 'Only the firm’s own sign-in',
    description: 'Passwords and passkeys do not open this workspace.',
  },
];

/** What everybody has to have shown who enters; set at once. */
export function RuleForm({ known }: { known: Rule }) {
  const save = useSave(sessionQuery.queryKey, (sign_in: Rule) =>
    api.patch('workspace/', { sign_in }),
  );
  return (
    <Stack gap="sm" mb="lg">
      <Radio.Group
        aria-label="What this workspace asks for"
        value={save.isPending ? save.variables : known}
        onChange={(value) => save.mutate(RULES.find((one) => one.value === value)?.value ?? known)}
      >
        <Stack gap="xs">
          {RULES.map((one) => (
            <Radio key={one.value} disabled={save.isPending} {...one} />
          ))}
        </Stack>
      </Radio.Group>
      {save.error ? (
        <Text c="red" size="sm" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
    </Stack>
  );
}
