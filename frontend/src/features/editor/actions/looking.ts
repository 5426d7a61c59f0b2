import type { useReactFlow } from '@xyflow/react';
import type { Action } from '../../../actions/registry.ts';
import { useEditor } from '../../../store/editor.ts';
import { freeRoom } from '../testrun/sight/fit.ts';
import { chosenFrame, selectAlong, selectInside } from './arrange.ts';
import { anyNode, editable } from './conditions.ts';
import { beginLeaving } from './keys/leaving.ts';
import type { EditorPageApi } from './pageApi.ts';
import { goToRegion } from './keys/regions.ts';
import { extend, walk } from './keys/walking.ts';

/** What changes the view and the selection, and nothing of the graph. */
export function looking(page: EditorPageApi, flow: ReturnType<typeof useReactFlow>): Action[] {
  const group = 'Canvas';
  const duration = 150;
  const selection = () =>
    useEditor
      .getState()
      .nodes.filter((node) => node.selected)
      .map(({ id }) => ({ id }));
  return [
    {
      id: 'editor.select',
      label: 'Select tool',
      group,
      keys: ['V'],
      run: () => page.setTool('select'),
    },
    { id: 'editor.pan', label: 'Pan tool', group, keys: ['H'], run: () => page.setTool('pan') },
    {
      id: 'editor.fit',
      label: 'Fit everything',
      group,
      keys: ['Shift+1'],
      run: () => void flow.fitView({ ...freeRoom(), duration }),
    },
    {
      id: 'editor.fit-selection',
      label: 'Fit the selection',
      group,
      keys: ['Shift+2'],
      run: () =>
        void flow.fitView({
          duration,
          includeHiddenNodes: true,
          padding: 0.3,
          maxZoom: 1.2,
          nodes: selection(),
        }),
    },
    {
      id: 'editor.zoom-100',
      label: 'Zoom to 100 %',
      group,
      keys: ['Shift+0'],
      run: () => void flow.zoomTo(1, { duration }),
    },
    {
      id: 'editor.all',
      label: 'Select all',
      group,
      keys: ['Mod+A'],
      run: () =>
        useEditor.getState().select(
          useEditor
            .getState()
            .nodes.filter((node) => node.type !== 'pill')
            .map((node) => node.id),
        ),
    },
    {
      id: 'editor.downstream',
      label: 'Select what follows',
      group,
      keys: ['Shift+ArrowRight'],
      also: 'downstream',
      enabled: anyNode,
      run: () => selectAlong('downstream'),
    },
    {
      id: 'editor.upstream',
      label: 'Select what leads here',
      group,
      keys: ['Shift+ArrowLeft'],
      also: 'upstream',
      enabled: anyNode,
      run: () => selectAlong('upstream'),
    },
    {
      id: 'editor.inside',
      label: 'Select what it frames',
      group,
      enabled: () => chosenFrame() !== undefined,
      run: selectInside,
    },
    {
      id: 'editor.menu',
      label: 'Open the menu',
      group,
      keys: ['ContextMenu', 'Shift+F10'],
      quiet: true,
      run: page.openMenu,
    },
    {
      id: 'editor.none',
      label: 'Select nothing',
      group,
      keys: ['Escape'],
      quiet: true,
      run: () => {
        if (page.closeTop()) return;
        useEditor.getState().select([]);
        beginLeaving();
      },
    },
    { id: 'editor.find', label: 'Find a node', group, keys: ['Mod+F'], run: page.find },
    {
      id: 'editor.replace',
      label: 'Find and replace',
      group,
      keys: ['Mod+Shift+F'],
      also: 'prompt text',
      enabled: editable,
      run: page.replace,
    },
    { id: 'editor.panel', label: 'Collapse or expand the palette', group, run: page.togglePalette },
    {
      id: 'editor.outline',
      label: 'Outline',
      group,
      keys: ['O'],
      also: 'tree list accessible',
      run: page.toggleOutline,
    },
    {
      id: 'editor.region',
      label: 'Go to the next part of the page',
      group,
      keys: ['F6'],
      whileTyping: true,
      run: () => goToRegion(1),
    },
    {
      id: 'editor.region-back',
      label: 'Go to the part before',
      group,
      keys: ['Shift+F6'],
      whileTyping: true,
      quiet: true,
      run: () => goToRegion(-1),
    },
    ...(['up', 'down'] as const).map((side): Action => ({
      id: `editor.extend-${side}`,
      label: `Select one more ${side === 'up' ? 'above' : 'below'}`,
      group,
      keys: [`Shift+Arrow${side === 'up' ? 'Up' : 'Down'}`],
      quiet: true,
      run: () => extend(side),
    })),
    ...(['left', 'right', 'up', 'down'] as const).map((side): Action => ({
      id: `editor.walk-${side}`,
      label: `Go ${side}`,
      group,
      keys: [`Arrow${side.charAt(0).toUpperCase()}${side.slice(1)}`],
      quiet: true,
      run: () => walk(side),
    })),
  ];
}
