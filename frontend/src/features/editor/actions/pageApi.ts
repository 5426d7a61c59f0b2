import type { Problem } from '../../../api/types/types.ts';

/** What the actions need of the page. */
export interface EditorPageApi {
  openQuickPalette: () => void;
  openMenu: () => void;
  insert: (edge: string) => void;
  centre: () => { x: number; y: number };
  focusInspector: () => void;
  rename: () => void;
  setTool: (tool: 'select' | 'pan') => void;
  testRun: () => void;
  stop: () => void;
  publish: () => void;
  find: () => void;
  settings: () => void;
  /** Go to what a run may cost at most. */
  budget: () => void;
  versions: () => void;
  runFrom: () => void;
  runStale: () => void;
  runTo: () => void;
  replace: () => void;
  extract: () => void;
  describe: () => void;
  togglePalette: () => void;
  toggleOutline: () => void;
  problems: () => void;
  /** Close the list that lies over everything; whether there was one. */
  closeTop: () => boolean;
  /** Write about the chosen card; the list of all threads. */
  comment: () => void;
  comments: () => void;
  jump: (problem: Problem) => void;
}
