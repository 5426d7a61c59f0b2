import { notifications } from '@mantine/notifications';
import { useCallback, useState } from 'react';
import { messageOf } from '../../../api/http/client.ts';
import { saveNow } from '../../../store/saving.ts';

export type Dialog =
  'publish' | 'run-from' | 'versions' | 'replace' | 'extract' | 'describe' | null;

/** Which dialog of the editor is open, and the two actions that need a file. */
export function useEditorDialogs(graphId: string) {
  const [dialog, setDialog] = useState<Dialog>(null);
  const importFile = useCallback(async () => {
    const { chooseFile, importText } = await import('../transfer/exchange.ts');
    const text = await chooseFile();
    if (text === null) return;
    try {
      importText(text);
    } catch (error) {
      notifications.show({ title: 'Not imported', message: messageOf(error), color: 'red' });
    }
  }, []);
  const exportFile = useCallback(
    async (format: 'yaml' | 'json') => {
      await saveNow();
      const link = document.createElement('a');
      link.href = `/api/graphs/${graphId}/export/?format=${format}`;
      link.download = '';
      link.click();
    },
    [graphId],
  );
  return { dialog, setDialog, importFile, exportFile };
}
