import commonIcons from 'virtual:common-icons';
import allIconsUrl from '../../../node_modules/@tabler/icons/tabler-nodes-outline.json?url';

export type IconNode = [tag: string, attributes: Record<string, string>];

let icons: Record<string, IconNode[]> = commonIcons;
let loading = false;
let version = 0;
const listeners = new Set<() => void>();

/** The drawing of an icon, or null while (or if) it is not there. `IconGitBranch`, `git-branch` and `ti-git-branch` are one name. */
export function iconNodes(name: string): IconNode[] | null {
  return icons[normalise(name)] ?? null;
}

function normalise(name: string): string {
  return name
    .replace(/^(Icon(?=[A-Z])|ti-)/, '')
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .toLowerCase();
}

/** Fetch the whole outline set once; afterwards every mounted icon is drawn again. */
export function loadAllIcons(): void {
  if (loading) return;
  loading = true;
  void fetch(allIconsUrl)
    .then((response) => response.json())
    .then((all: Record<string, IconNode[]>) => {
      icons = all;
      version += 1;
      listeners.forEach((call) => call());
    })
    .catch(() => {
      loading = false;
    });
}

/** Listen for new icons; for `useSyncExternalStore`. */
export function onIcons(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const iconsVersion = () => version;
