import type { Folder } from '../../../api/types/types.ts';

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path as people read it. */
export const spoken = (path: string): string => path.split('/').join(' / ');

/** The folder around one; empty at the top. */
export const around = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A path and all around it, the outermost first. */
export const wayTo = (path: string): string[] =>
  path === '' ? [] : path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));

/** The folders that lie right in one. */
export const insideOf = (folders: readonly Folder[], folder: string): Folder[] =>
  folders.filter(({ path }) => around(path) === folder && path !== folder);

export const workflowsWord = (count: number): string =>
  count === 1 ? '1 workflow' : `${count.toLocaleString('en')} workflows`;
