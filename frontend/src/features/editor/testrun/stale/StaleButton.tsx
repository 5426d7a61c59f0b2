import { Button, Tooltip } from '@mantine/core';
import { IconInfoCircle, IconPlayerTrackNext } from '@tabler/icons-react';
import type { RunStatus } from '../../../../api/types/types.ts';
import { isTerminal } from '../../../../run/fold/model.ts';
import { useEditor } from '../../../../store/editor.ts';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import { useTesting } from '../testing.ts';
import classes from '../testrun.module.css';
import { runStale } from './runStale.ts';
import { useStale } from './stalePlan.ts';
import { forecastOf, hasStale, planWords } from './words.ts';

/** Run what changed since and what builds on it, with what that will cost; nothing where all holds. */
export function StaleButton({ status }: { status: RunStatus | null }) {
  const plan = useStale((state) => state.plan);
  const nodes = useEditor((state) => state.records.nodes);
  const canRun = useEditor((state) => state.can.run);
  const starting = useTesting((state) => state.starting);
  const over = status !== null && isTerminal(status);
  if (!plan || !over || !canRun || !hasStale(plan)) return null;
  const nameOf = (id: string) => nodes.get(id)?.label || id;
  const what = plan.stale.length > 0 ? 'Run what is stale' : 'Run the rest';
  const forecast = forecastOf(plan);
  return (
    <Tooltip
      multiline
      maw={320}
      label={
        <>
          {planWords(plan, nameOf)} <Kbd keys="Mod+Shift+Enter" />
        </>
      }
    >
      <Button
        size="xs"
        variant="light"
        className={classes.stale}
        leftSection={<IconPlayerTrackNext size={14} />}
        loading={starting}
        aria-label={`${what}, ${forecast}`}
        onClick={() => void runStale()}
      >
        {what}
        <span className={classes.forecast}>{forecast}</span>
      </Button>
    </Tooltip>
  );
}

/** Why the draft cannot go on from the run that is shown, where one would look for the button that does it. */
export function StaleRefusal({ status }: { status: RunStatus | null }) {
  const refusal = useStale((state) => state.refusal);
  const canRun = useEditor((state) => state.can.run);
  const over = status !== null && isTerminal(status);
  if (refusal === '' || !over || !canRun) return null;
  return (
    <p className={classes.cannot} role="status" aria-label="Since this run">
      <IconInfoCircle size={14} aria-hidden /> {refusal}
    </p>
  );
}
