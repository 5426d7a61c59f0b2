import { Drawer } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Part } from '../../../graph/proposal/parts.ts';
import { withParts } from '../../../graph/proposal/taking.ts';
import { useEditor } from '../../../store/editor.ts';
import { saveNow } from '../../../store/saving.ts';
import { Describe } from '../../describe/Describe.tsx';

/** A change from words: what is taken of it is one undo step. `onShow` brings nodes into sight. */
export function DescribeDrawer({
  graphId,
  onShow,
  onClose,
}: {
  graphId: string;
  onShow: (ids: string[]) => void;
  onClose: () => void;
}) {
  const records = useEditor((state) => state.records);
  const take = async (parts: readonly Part[]) => {
    useEditor
      .getState()
      .gesture('Take what was described', (now) =>
        withParts(now, parts, useEditor.getState().types),
      );
    await saveNow();
    const there = useEditor.getState().records.nodes;
    onShow(parts.flatMap(({ kind, id }) => (kind === 'node' && there.has(id) ? [id] : [])));
    notifications.show({
      color: 'green',
      closeButtonProps: { 'aria-label': 'Close' },
      message: `${parts.length === 1 ? 'One part is' : `${parts.length} parts are`} in the draft. Undo takes it back at once.`,
    });
    return onClose;
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title="Describe a change"
      size={480}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      <Describe
        graphId={graphId}
        current={records}
        accept="Accept"
        onBefore={saveNow}
        onTake={take}
      />
    </Drawer>
  );
}
