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

const DEEPEST = 3;
const LONGEST = 40;

/** What is wrong with a path, in words; empty where it is one. An empty path is none, which is fine. */
export function mistakeIn(path: string): string {
  if (path.trim() === '') return '';
  const names = path.split('/').map((name) => name.trim());
  const long = names.find((name) => [...name].length > LONGEST);
  if (long !== undefined)
    return `A name has at most ${LONGEST} letters, this one has ${[...long].length}.`;
  if (names.length > DEEPEST) return `At most ${DEEPEST} folders lie in one another.`;
  return names.slice(0, -1).includes('') ? 'Write a name before each /.' : '';
}

/** The ids of workflows by the folder that they lie in. */
export function byFolder(graphs: readonly { id: string; folder: string }[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, folder } of graphs) found.set(folder, [...(found.get(folder) ?? []), id]);
  return found;
}
