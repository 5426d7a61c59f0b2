import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { currentWorkspace } from '../api/http/client.ts';

interface CsvButtonProps {
  path: string;
  query: Record<string, string>;
  title?: string;
}

/** What a page shows as a file of comma-separated values. */
export function CsvButton({ path, query, title }: CsvButtonProps) {
  const all = { ...query, format: 'csv', workspace: currentWorkspace() };
  return (
    <Button
      component="a"
      href={`/api/${path}/?${new URLSearchParams(all).toString()}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} />}
      title={title}
    >
      CSV
    </Button>
  );
}
