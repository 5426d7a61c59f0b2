import { Group, Select, TextInput } from '@mantine/core';
import type { Json } from '../../../api/types/types.ts';

interface FieldsProps {
  config: Record<string, Json>;
  onChange: (config: Record<string, Json>) => void;
}

const TEXTS = [
  { name: 'header', label: 'Header with the signature', usual: 'X-Signature' },
  { name: 'prefix', label: 'Before the signature stands', usual: '' },
  { name: 'id_header', label: 'Header with the delivery’s id', usual: 'X-Delivery-Id' },
  { name: 'timestamp_header', label: 'Header with the time, if it is signed too', usual: '' },
] as const;

/** How a sender of no known kind signs. */
export function CustomFields({ config, onChange }: FieldsProps) {
  const text = (name: string, usual: string) => String(config[name] ?? usual);
  const set = (name: string, value: string | null) => onChange({ ...config, [name]: value ?? '' });
  return (
    <>
      {TEXTS.map(({ name, label, usual }) => (
        <TextInput
          key={name}
          label={label}
          {...(name === 'id_header'
            ? { description: 'Without it, each call starts a run, also one that is sent again.' }
            : {})}
          value={text(name, usual)}
          onChange={(event) => set(name, event.currentTarget.value)}
        />
      ))}
      <Group grow gap="sm">
        <Select
          label="Algorithm"
          data={['sha256', 'sha512', 'sha1']}
          value={text('algorithm', 'sha256')}
          onChange={(value) => set('algorithm', value)}
          allowDeselect={false}
        />
        <Select
          label="Written in"
          data={['hex', 'base64']}
          value={text('encoding', 'hex')}
          onChange={(value) => set('encoding', value)}
          allowDeselect={false}
        />
      </Group>
    </>
  );
}
