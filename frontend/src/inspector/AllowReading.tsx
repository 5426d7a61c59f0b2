import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { Problem } from '../api/types/types.ts';
import { allowReading } from '../graph/editing/operations.ts';
import { useEditor } from '../store/editor.ts';

/** One click that gives a node the read key it lacks; one undo step. Nothing where the problem has no such cure. */
export function AllowReading({ problem }: { problem: Problem }) {
  const fix = problem.fix;
  const lacks = useEditor((state) => {
    const node = fix ? state.records.nodes.get(fix.node) : undefined;
    return state.can.edit && node !== undefined && !node.read_keys?.includes(fix?.key ?? '');
  });
  if (!fix || !lacks) return null;
  const words = `Allow reading ${fix.key}`;
  const allow = () =>
    useEditor.getState().gesture(words, (records) => allowReading(records, fix.node, fix.key));
  return (
    <Button
      size="compact-xs"
      variant="light"
      leftSection={<IconKey size={13} aria-hidden />}
      onClick={allow}
    >
      {words}
    </Button>
  );
}
