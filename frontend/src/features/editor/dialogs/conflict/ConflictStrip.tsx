import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import type { PresencePerson } from '../../../../api/live/realtime.ts';
import type { Onlooker } from '../../../../canvas/cards/context.ts';
import canvas from '../../../../canvas/canvas.module.css';
import { useEditor } from '../../../../store/editor.ts';
import classes from '../../editor.module.css';
import { ConflictDialog } from './ConflictDialog.tsx';
import { toldOf, whoOf } from './words.ts';

interface ConflictStripProps {
  people: readonly PresencePerson[];
  /** The id of the person who looks. */
  me: string;
  onlookers: ReadonlyMap<string, readonly Onlooker[]>;
}

/** Somebody else changed the same: said beside the work, which goes on; the choice is opened when it suits. */
export function ConflictStrip({ people, me, onlookers }: ConflictStripProps) {
  const conflict = useEditor((state) => state.conflict);
  const records = useEditor((state) => state.records);
  const [open, setOpen] = useState(false);
  if (!conflict) return null;
  const here = people.map(({ user }) => (user.id === me ? 'You, in another tab,' : user.name));
  const who = whoOf(conflict.disputes, onlookers, here);
  return (
    <>
      <div className={`${canvas.panel} ${classes.bothChanged}`} role="status">
        <IconUsers size={16} aria-hidden />
        <span>{toldOf(conflict.disputes, who, records)}</span>
        <Button size="compact-xs" variant="light" onClick={() => setOpen(true)}>
          See both
        </Button>
      </div>
      {open ? <ConflictDialog who={who} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
