/** What the editor opens seldom, fetched when it does. */

import { loadConnectMenu } from '../menu/askTarget.ts';
import { lazyInBackground, lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

const loadFind = () => import('./FindNode.tsx');

/** Open the finder (`Mod+F`). */
export const openFind = (): void => void loadFind().then((module) => module.show());

export const FindNode = lazyInBackground(() =>
  loadFind().then((module) => ({ default: module.FindNode })),
);
export const ConnectMenu = lazyInBackground(loadConnectMenu);

export const ConflictStrip = lazyInBackground(() =>
  import('./conflict/ConflictStrip.tsx').then((module) => ({
    default: module.ConflictStrip,
  })),
);
export const PublishDialog = lazyOnDemand(() =>
  import('./PublishDialog.tsx').then((module) => ({ default: module.PublishDialog })),
);
export const VersionsDrawer = lazyOnDemand(() =>
  import('./versions/VersionsDrawer.tsx').then((module) => ({
    default: module.VersionsDrawer,
  })),
);
export const RunFromDialog = lazyOnDemand(() =>
  import('./RunFromDialog.tsx').then((module) => ({ default: module.RunFromDialog })),
);
export const ReplaceDialog = lazyOnDemand(() =>
  import('./ReplaceDialog.tsx').then((module) => ({ default: module.ReplaceDialog })),
);
export const DescribeDrawer = lazyOnDemand(() =>
  import('./DescribeDrawer.tsx').then((module) => ({ default: module.DescribeDrawer })),
);
export const ExtractDialog = lazyOnDemand(() =>
  import('./ExtractDialog.tsx').then((module) => ({ default: module.ExtractDialog })),
);
export const CanvasMenu = lazyOnDemand(() =>
  import('../menu/CanvasMenu.tsx').then((module) => ({ default: module.CanvasMenu })),
);
export const ManyTools = lazyOnDemand(() =>
  import('../menu/ManyTools.tsx').then((module) => ({ default: module.ManyTools })),
);
