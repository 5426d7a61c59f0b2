import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Cure, Problem } from '../../api/types/types.ts';
import { cured } from '../../graph/editing/cures.ts';
import { tellUnread, useEditor } from '../../store/editor.ts';
import { UNREAD, forgetUnread } from '../../store/unread.ts';

/**
 * Buttons that mend a problem, each one undo step, or a way to the tool or the settings that are to blame.
 * Nothing where it has no cure, or none that would change anything.
 */
export function Cures({ problem }: { problem: Problem }) {
  const records = useEditor((state) => (problem.fixes?.length ? state.records : null));
  const editable = useEditor((state) => state.can.edit);
  if (!records || !editable) return null;
  if (problem.code === UNREAD) return <LeaveOut problem={problem} />;
  return problem.fixes
    ?.filter((cure) => pageOf(cure) !== null || cured(records, cure) !== records)
    .map((cure) => {
      const page = pageOf(cure);
      return page !== null ? (
        <Button key={cure.label} component={Link} to={page} size="compact-xs" variant="light">
          {cure.label}
        </Button>
      ) : (
        <Button
          key={cure.label}
          size="compact-xs"
          variant="light"
          onClick={() => useEditor.getState().gesture(cure.label, (now) => cured(now, cure))}
        >
          {cure.label}
        </Button>
      );
    });
}

/** The page that a cure leads to: the row of a tool, opened, or a part of the settings. Null where it edits. */
function pageOf({ tool, settings }: Cure): string | null {
  if (tool) return `/settings/tools#${encodeURIComponent(tool)}`;
  return settings ? `/settings/${settings}` : null;
}

/** A text that no document can hold goes, also where its field is out of sight. */
function LeaveOut({ problem: { node, path, fixes } }: { problem: Problem }) {
  const leave = () => {
    forgetUnread({ graph: useEditor.getState().graphId, at: node ?? '', path });
    tellUnread();
  };
  return (
    <Button size="compact-xs" variant="light" onClick={leave}>
      {fixes?.[0]?.label}
    </Button>
  );
}
