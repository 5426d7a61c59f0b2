/** What the editor opens seldom, fetched when it does. */

import { lazy } from 'react';
import { loadConnectMenu } from '../menu/askTarget.ts';

const loadFind = () => import('./FindNode.tsx');

/** Open the finder (`Mod+F`). */
export const openFind = (): void => void loadFind().then((module) => module.show());

export const FindNode = lazy(() => loadFind().then((module) => ({ default: module.FindNode })));
export const ConnectMenu = lazy(loadConnectMenu);

export const ConflictStrip = lazy(() =>
  import('./conflict/ConflictStrip.tsx').then((module) => ({
    default: module.ConflictStrip,
  })),
);
export const PublishDialog = lazy(() =>
  import('./PublishDialog.tsx').then((module) => ({ default: module.PublishDialog })),
);
export const VersionsDrawer = lazy(() =>
  import('./versions/VersionsDrawer.tsx').then((module) => ({
    default: module.VersionsDrawer,
  })),
);
export const RunFromDialog = lazy(() =>
  import('./RunFromDialog.tsx').then((module) => ({ default: module.RunFromDialog })),
);
export const ReplaceDialog = lazy(() =>
  import('./ReplaceDialog.tsx').then((module) => ({ default: module.ReplaceDialog })),
);
export const DescribeDrawer = lazy(() =>
  import('./DescribeDrawer.tsx').then((module) => ({ default: module.DescribeDrawer })),
);
export const ExtractDialog = lazy(() =>
  import('./ExtractDialog.tsx').then((module) => ({ default: module.ExtractDialog })),
);
export const CanvasMenu = lazy(() =>
  import('../menu/CanvasMenu.tsx').then((module) => ({ default: module.CanvasMenu })),
);
export const ManyTools = lazy(() =>
  import('../menu/ManyTools.tsx').then((module) => ({ default: module.ManyTools })),
);
