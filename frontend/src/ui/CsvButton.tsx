import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { currentWorkspace } from '../api/http/client.ts';

interface CsvButtonProps {
  path: string;
  query: Record<string, string>;
  title?: string;
  size?: 'xs' | 'sm';
}

/** What a page shows as a file of comma-separated values. */
export function CsvButton({ path, query, title, size = 'sm' }: CsvButtonProps) {
  const all = { ...query, format: 'csv', workspace: currentWorkspace() };
  return (
    <Button
      component="a"
      href={`/api/${path}/?${new URLSearchParams(all).toString()}`}
      download
      variant="default"
      size={size}
      leftSection={<IconDownload size={size === 'xs' ? 14 : 16} />}
      title={title}
    >
      CSV
    </Button>
  );
}
