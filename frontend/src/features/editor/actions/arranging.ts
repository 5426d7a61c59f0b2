import type { useReactFlow } from '@xyflow/react';
import type { Action } from '../../../actions/registry.ts';
import { freeRoom } from '../testrun/sight/fit.ts';
import {
  addNote,
  alignSelection,
  distributeSelection,
  frameSelection,
  GLIDE_MS,
  nudge,
  tidyUp,
} from './arrange.ts';
import { chosen, editable, oneEdge, several } from './conditions.ts';
import { leavesByTab } from './keys/leaving.ts';
import type { EditorPageApi } from './pageApi.ts';

/** Where the graph is worked on: on the canvas and in the outline. */
const GRAPH = '[data-region="canvas"], [data-region="outline"]';

/** How far a nudge moves, in pixels of the canvas. */
const STEP = 8;

/** Whether the focus is on the graph: anywhere else, as on a page just opened, Tab goes on to the next control. */
const isOnCanvas = (): boolean => Boolean(document.activeElement?.closest(GRAPH));

/** What adds parts to the canvas, and moves them. */
export function arranging(page: EditorPageApi, flow: ReturnType<typeof useReactFlow>): Action[] {
  const group = 'Add and arrange';
  return [
    {
      id: 'editor.palette',
      label: 'Add a node',
      group,
      keys: ['Tab'],
      enabled: editable,
      byKey: () => !leavesByTab() && isOnCanvas(),
      run: () => {
        const edge = oneEdge();
        if (edge) page.insert(edge.id);
        else page.openQuickPalette();
      },
    },
    {
      id: 'editor.insert',
      label: 'Insert a node here',
      group,
      also: 'wire edge splice',
      enabled: () => Boolean(oneEdge()),
      run: () => page.insert(oneEdge()?.id ?? ''),
    },
    {
      id: 'editor.note',
      label: 'Add a note',
      group,
      keys: ['N'],
      enabled: editable,
      run: () => addNote(page.centre()),
    },
    {
      id: 'editor.frame',
      label: 'Frame selection',
      group,
      keys: ['Mod+G'],
      enabled: chosen,
      run: frameSelection,
    },
    {
      id: 'editor.tidy',
      label: 'Tidy up',
      group,
      keys: ['Shift+L'],
      also: 'layout',
      enabled: editable,
      run: () => void tidyUp(() => void flow.fitView({ ...freeRoom(), duration: GLIDE_MS })),
    },
    {
      id: 'editor.left',
      label: 'Align left',
      group,
      keys: ['Alt+A'],
      enabled: several,
      run: () => alignSelection('left'),
    },
    {
      id: 'editor.right',
      label: 'Align right',
      group,
      keys: ['Alt+D'],
      enabled: several,
      run: () => alignSelection('right'),
    },
    {
      id: 'editor.top',
      label: 'Align top',
      group,
      keys: ['Alt+W'],
      enabled: several,
      run: () => alignSelection('top'),
    },
    {
      id: 'editor.bottom',
      label: 'Align bottom',
      group,
      keys: ['Alt+S'],
      enabled: several,
      run: () => alignSelection('bottom'),
    },
    {
      id: 'editor.spread-x',
      label: 'Distribute horizontally',
      group,
      keys: ['Alt+H'],
      enabled: several,
      run: () => distributeSelection('x'),
    },
    {
      id: 'editor.spread-y',
      label: 'Distribute vertically',
      group,
      keys: ['Alt+V'],
      enabled: several,
      run: () => distributeSelection('y'),
    },
    ...(['Left', 'Right', 'Up', 'Down'] as const).flatMap((side): Action[] => {
      const x = side === 'Left' ? -1 : side === 'Right' ? 1 : 0;
      const y = side === 'Up' ? -1 : side === 'Down' ? 1 : 0;
      return [
        {
          id: `editor.nudge-${side}`,
          label: `Move ${side.toLowerCase()}`,
          group,
          keys: [`Alt+Arrow${side}`],
          quiet: true,
          enabled: chosen,
          run: () => nudge(x * STEP, y * STEP),
        },
        {
          id: `editor.push-${side}`,
          label: `Move far ${side.toLowerCase()}`,
          group,
          keys: [`Alt+Shift+Arrow${side}`],
          quiet: true,
          enabled: chosen,
          run: () => nudge(x * STEP * 10, y * STEP * 10),
        },
      ];
    }),
  ];
}
