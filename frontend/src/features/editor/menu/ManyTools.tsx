import { Button, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconAlignBoxBottomCenter,
  IconAlignBoxLeftMiddle,
  IconAlignBoxRightMiddle,
  IconAlignBoxTopCenter,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
} from '@tabler/icons-react';
import { allActions, runAction, useRegistry } from '../../../actions/registry.ts';
import inspector from '../../../inspector/inspector.module.css';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { ActionButton } from '../Toolbar.tsx';

const tools: [string, Icon][] = [
  ['editor.left', IconAlignBoxLeftMiddle],
  ['editor.right', IconAlignBoxRightMiddle],
  ['editor.top', IconAlignBoxTopCenter],
  ['editor.bottom', IconAlignBoxBottomCenter],
  ['editor.spread-x', IconLayoutDistributeVertical],
  ['editor.spread-y', IconLayoutDistributeHorizontal],
];

/** An action of the registry, by its words; one that can do nothing for what is chosen says why. */
function Tool({ id }: { id: string }) {
  const action = allActions(useRegistry()).findLast((entry) => entry.id === id);
  // it is asked again whenever something else is chosen, or is otherwise
  useEditor((state) => state.records);
  useEditor((state) => selectedIds(state).join());
  const whyNot = action?.whyNot?.() ?? null;
  return (
    <Tooltip label={whyNot} disabled={whyNot === null} multiline maw={260}>
      <Button
        size="xs"
        px={8}
        variant="default"
        data-disabled={whyNot !== null || undefined}
        aria-disabled={whyNot !== null || undefined}
        aria-description={whyNot ?? undefined}
        onClick={() => whyNot === null && runAction(id)}
      >
        {action?.label ?? id}
      </Button>
    </Tooltip>
  );
}

/** What can be done with several nodes at once. */
export function ManyTools() {
  return (
    <div className={inspector.sectionBody} style={{ paddingTop: 14, display: 'grid', gap: 12 }}>
      <div style={{ display: 'flex', gap: 4 }}>
        {tools.map(([id, icon]) => (
          <ActionButton key={id} id={id} icon={icon} />
        ))}
      </div>
      <div className={inspector.buttons}>
        {[
          'editor.tidy',
          'editor.frame',
          'editor.duplicate',
          'editor.extract',
          'editor.disable',
          'editor.heal',
          'editor.delete',
        ].map((id) => (
          <Tool key={id} id={id} />
        ))}
      </div>
    </div>
  );
}
