/** What every page can open, fetched beside the first page and not before it. */

import { NobodyAsks } from '../../ui/confirm.tsx';
import { keepTyped, PALETTE } from '../../ui/keys/earlyKeys.ts';
import { lazyInBackground } from '../../ui/page/lazy/lazy.ts';
import { NoNotices } from '../newVersion.tsx';

const palette = () => import('./palette/CommandPalette.tsx');
const keySheet = () => import('./KeySheet.tsx');

export const CommandPalette = lazyInBackground(() =>
  palette().then((module) => ({ default: module.CommandPalette })),
);
export const KeySheet = lazyInBackground(() =>
  keySheet().then((module) => ({ default: module.KeySheet })),
);

/** Tells of comments that speak to the person. */
export const Herald = lazyInBackground(() =>
  import('../../features/comments/told/Herald.tsx').then((module) => ({ default: module.Herald })),
);

/** Shows notices; those that come before it is there wait for it. */
export const Notices = lazyInBackground(
  () => import('./Notices.tsx').then((module) => ({ default: module.Notices })),
  NoNotices,
);

/** What `confirm` asks with. */
export const ConfirmDialog = lazyInBackground(
  () =>
    import('../../ui/page/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })),
  NobodyAsks,
);

/** Lets what was decided in the inbox be taken back on other pages. */
export const HeldElsewhere = lazyInBackground(() =>
  import('../held/HeldElsewhere.tsx').then((module) => ({ default: module.HeldElsewhere })),
);

/** Open the palette (`Mod+K`). */
export function openPalette(): void {
  keepTyped(PALETTE);
  void palette().then((module) => module.show());
}

/** Show every shortcut of this page. */
export const openKeySheet = (): void => void keySheet().then((module) => module.openKeySheet());
