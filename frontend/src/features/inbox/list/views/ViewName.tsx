import { TextInput } from '@mantine/core';

interface ViewNameProps {
  value: string;
  /** What is wrong with it. */
  problem: string | null;
  /** Whether typing replaces what stands there. */
  selects?: boolean;
  onChange: (name: string) => void;
}

/** What a saved view is called. */
export function ViewName({ value, problem, selects = false, onChange }: ViewNameProps) {
  return (
    <TextInput
      label="Name of the view"
      data-autofocus
      value={value}
      error={problem}
      onFocus={(event) => selects && event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
