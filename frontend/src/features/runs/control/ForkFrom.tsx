import { Button } from '@mantine/core';
import { IconGitFork } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { runQuery } from '../../../api/http/lists.ts';
import { ForkDialog } from './ForkDialog.tsx';
import { useRunId } from '../../../liverun/RunContext.ts';

/** Opens the fork of the run on this page at an activation; nothing where the run may not be forked. */
export function ForkFrom({ at }: { at: string }) {
  const { data: run } = useQuery(runQuery(useRunId() ?? ''));
  const [open, setOpen] = useState(false);
  if (!run?.can.fork) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconGitFork size={13} />}
        onClick={() => setOpen(true)}
      >
        Fork from here
      </Button>
      {open ? <ForkDialog run={run} from={at} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
