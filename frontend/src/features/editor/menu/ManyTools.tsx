import { Button } from '@mantine/core';
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
import { ActionButton } from '../Toolbar.tsx';

const tools: [string, Icon][] = [
  ['editor.left', IconAlignBoxLeftMiddle],
  ['editor.right', IconAlignBoxRightMiddle],
  ['editor.top', IconAlignBoxTopCenter],
  ['editor.bottom', IconAlignBoxBottomCenter],
  ['editor.spread-x', IconLayoutDistributeVertical],
  ['editor.spread-y', IconLayoutDistributeHorizontal],
];

/** What can be done with several nodes at once. */
export function ManyTools() {
  const registry = useRegistry();
  const button = (id: string) => {
    const action = allActions(registry).findLast((entry) => entry.id === id);
    return (
      <Button key={id} size="xs" px={8} variant="default" onClick={() => runAction(id)}>
        {action?.label ?? id}
      </Button>
    );
  };
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
        ].map(button)}
      </div>
    </div>
  );
}
