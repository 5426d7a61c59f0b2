import { TextInput } from '@mantine/core';

interface ViewNameProps {
  value: string;
  /** Whether typing replaces what stands there. */
  selects?: boolean;
  onChange: (name: string) => void;
}

/** What a saved view is called. */
export function ViewName({ value, selects = false, onChange }: ViewNameProps) {
  return (
    <TextInput
      label="Name of the view"
      data-autofocus
      maxLength={60}
      value={value}
      onFocus={(event) => selects && event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
