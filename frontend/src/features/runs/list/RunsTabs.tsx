import { SegmentedControl } from '@mantine/core';
import { useNavigate } from 'react-router';

const TABS = [
  { value: '/runs', label: 'Runs' },
  { value: '/runs/causes', label: 'Causes' },
];

/** Between every run, and why runs failed. */
export function RunsTabs({ at }: { at: '/runs' | '/runs/causes' }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      value={at}
      onChange={(to) => void navigate(to)}
      aria-label="Runs or causes of failures"
      data={TABS}
    />
  );
}
