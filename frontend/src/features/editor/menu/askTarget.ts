const load = () => import('./ConnectMenu.tsx');

/** The menu as `React.lazy` wants it. */
export const loadConnectMenu = () => load().then((module) => ({ default: module.ConnectMenu }));

/** Ask where the next wire of a node leads (`C`), or where a wire ends instead (`Shift+C`). */
export const askTarget = (kind: 'node' | 'wire', id: string): void =>
  void load().then((module) => module.show(kind, id));
