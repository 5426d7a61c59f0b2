import { SegmentedControl } from '@mantine/core';
import { useNavigate } from 'react-router';

const TABS = [
  { value: '/runs', label: 'Runs' },
  { value: '/runs/causes', label: 'Causes' },
  { value: '/runs/bulk', label: 'Bulk jobs' },
];

/** Between every run, why runs failed, and what was done with many at once. */
export function RunsTabs({ at }: { at: '/runs' | '/runs/causes' | '/runs/bulk' }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      value={at}
      onChange={(to) => void navigate(to)}
      aria-label="Runs, causes of failures or bulk jobs"
      data={TABS}
    />
  );
}
