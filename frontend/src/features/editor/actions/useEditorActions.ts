import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { type Action, useActions } from '../../../actions/registry.ts';
import { useEditor } from '../../../store/editor.ts';
import { stopAction } from '../../runs/control/stopRun.ts';
import { arranging } from './arranging.ts';
import { editable, isLedTo, noDialog, oneNode } from './conditions.ts';
import { editing } from './editing.ts';
import { looking } from './looking.ts';
import type { EditorPageApi } from './pageApi.ts';
import { branching } from './keys/branching.ts';
import { nextProblem } from './keys/problems.ts';
import { wiring } from './keys/wiring.ts';
import { canRunStale, trying } from './trying.ts';

/** Offer everything that can be done in the editor. */
export function useEditorActions(page: EditorPageApi): void {
  const flow = useReactFlow();
  const actions = useMemo<Action[]>(() => {
    const group = 'Workflow';
    return [
      {
        id: 'editor.run',
        label: 'Test run',
        group,
        keys: ['Mod+Enter'],
        whileTyping: true,
        byKey: noDialog,
        enabled: () => useEditor.getState().can.run,
        run: page.testRun,
      },
      stopAction({
        id: 'editor.stop',
        label: 'Stop the test run',
        group,
        enabled: () => useEditor.getState().can.run,
        run: page.stop,
      }),
      {
        id: 'editor.run-to',
        label: 'Run to here',
        group,
        keys: ['Shift+Enter'],
        also: 'stop after until',
        enabled: () => useEditor.getState().can.run && isLedTo(),
        run: page.runTo,
      },
      {
        id: 'editor.run-from',
        label: 'Run from here',
        group,
        keys: ['Alt+Shift+Enter'],
        also: 'fork plan reuse',
        enabled: () => useEditor.getState().can.run && oneNode(),
        run: page.runFrom,
      },
      {
        id: 'editor.describe',
        label: 'Describe a change',
        group,
        keys: ['W'],
        also: 'words ai assistant generate draft write',
        enabled: () => editable() && useEditor.getState().can.run,
        run: page.describe,
      },
      {
        id: 'editor.run-stale',
        label: 'Run what is stale',
        group,
        keys: ['Mod+Shift+Enter'],
        also: 'changed outdated fork again reuse',
        whileTyping: true,
        byKey: noDialog,
        enabled: canRunStale,
        run: page.runStale,
      },
      { id: 'editor.publish', label: 'Publish', group, enabled: editable, run: page.publish },
      { id: 'editor.versions', label: 'Versions', group, run: page.versions },
      {
        id: 'editor.settings',
        label: 'Workflow settings',
        group,
        also: 'goal limits budget agents',
        run: page.settings,
      },
      {
        id: 'editor.budget',
        label: 'Budget of a run',
        group,
        keys: ['Shift+M'],
        also: 'money cap limit spend usd',
        enabled: editable,
        run: page.budget,
      },
      {
        id: 'editor.problems',
        label: 'Problems and path proof',
        group,
        also: 'danger approval check',
        run: page.problems,
      },
      {
        id: 'editor.comment',
        label: 'Comment on this card',
        group,
        keys: ['M'],
        also: 'message discuss mention thread remark note',
        enabled: () => (useEditor.getState().can.comment ?? false) && oneNode(),
        run: page.comment,
      },
      {
        id: 'editor.comments',
        label: 'Comments',
        group,
        also: 'threads discussion mentions open resolved',
        run: page.comments,
      },
      {
        id: 'editor.next-problem',
        label: 'Go to the next problem',
        group,
        keys: ['F8'],
        whileTyping: true,
        enabled: () => useEditor.getState().problems.length > 0,
        run: () => {
          const problem = nextProblem();
          if (problem) page.jump(problem);
        },
      },
      ...trying(),
      ...editing(page),
      ...arranging(page, flow),
      ...looking(page, flow),
      ...wiring(),
      ...branching(),
    ];
  }, [page, flow]);
  useActions(actions);
}
