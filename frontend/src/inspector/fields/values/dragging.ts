import type { DragEvent } from 'react';
import type { NameInfo } from '../../../graph/schema/names.ts';

const TYPE = 'application/x-graphwright-value';

/** Let a value be dragged from a row of the tree; elsewhere it is its name as text. */
export function startDrag(event: DragEvent, info: NameInfo): void {
  const { name, grant } = info;
  event.dataTransfer.setData(TYPE, JSON.stringify({ name, ...(grant ? { grant } : {}) }));
  event.dataTransfer.setData('text/plain', name);
  event.dataTransfer.effectAllowed = 'copy';
}

/** Whether what is dragged is a value. */
export const isValue = (transfer: DataTransfer | null): boolean =>
  transfer?.types.includes(TYPE) ?? false;

/** The value that was dropped; null for anything else. */
export function droppedValue(transfer: DataTransfer | null): NameInfo | null {
  try {
    const found = JSON.parse(transfer?.getData(TYPE) ?? '') as Partial<NameInfo>;
    if (typeof found.name !== 'string') return null;
    const grant = typeof found.grant === 'string' ? { grant: found.grant } : {};
    return { name: found.name, detail: '', readable: true, ...grant };
  } catch {
    return null;
  }
}
