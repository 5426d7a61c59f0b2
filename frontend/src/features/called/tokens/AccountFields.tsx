import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import type * as served from '../../../api/types/schema.gen.ts';

export type TokenAccount = served.AccountBody;

const ROLES: readonly { value: TokenAccount['role']; label: string }[] = [
  { value: 'author', label: 'Author: edits and starts workflows' },
  { value: 'operator', label: 'Operator: starts and cancels runs, answers questions' },
  { value: 'viewer', label: 'Viewer: only looks' },
];

interface AccountFieldsProps {
  value: TokenAccount | null;
  onChange: (value: TokenAccount | null) => void;
  /** Whether the form was sent with what stands in it. */
  tried: boolean;
}

/** As whom a token acts: its maker, or an account that is nobody and stays when its maker leaves. */
export function AccountFields({ value, onChange, tried }: AccountFieldsProps) {
  return (
    <Stack gap="sm">
      <Checkbox
        label="It acts as an account of its own, not as me"
        description="The account is no person: nobody signs in as it, and it stays when you leave."
        checked={value !== null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { name: '', role: 'author' } : null)
        }
      />
      {value ? (
        <>
          <TextInput
            label="Name of the account"
            placeholder="Nightly import"
            required
            withAsterisk={false}
            maxLength={120}
            error={tried && value.name.trim() === '' ? 'Give the account a name.' : null}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
          />
          <Select
            label="Its role"
            data={ROLES}
            value={value.role}
            onChange={(role) => onChange({ ...value, role: role ?? 'author' })}
            allowDeselect={false}
          />
        </>
      ) : null}
    </Stack>
  );
}
