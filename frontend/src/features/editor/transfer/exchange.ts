import { parse } from 'yaml';
import type { GraphDoc } from '../../../api/types/types.ts';
import { toRecords } from '../../../graph/document/document.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { roomsOf } from '../../../graph/layout/rooms.ts';
import { tidy } from '../../../graph/layout/tidy.ts';
import { place } from '../../../graph/editing/operations.ts';
import { useEditor } from '../../../store/editor.ts';

/** Put a document (JSON or YAML text) into the draft as one undo step. Raises `Error` when the text is no document. */
export function importText(text: string): void {
  const value: unknown = parse(text);
  if (!isRecord(value) || value.graphwright !== 1 || !Array.isArray(value.nodes))
    throw new Error('This is no workflow: it has no `graphwright: 1` and no nodes.');
  const document = { edges: [], ...value } as unknown as GraphDoc;
  const records = toRecords(document);
  const bare = document.nodes.every((node) => !node.position);
  const { gesture, types } = useEditor.getState();
  const sizes = roomsOf(records, types);
  gesture('Import', () => (bare ? place(records, tidy(records, undefined, sizes)) : records));
}

/** Let the person choose a file; gives its text, or null when they chose none. */
export function chooseFile(): Promise<string | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.yaml,.yml,.json';
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      void (file ? file.text() : Promise.resolve(null)).then(resolve);
    });
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}
