import { Switch, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconShieldCheck, IconShieldExclamation } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import type { Danger, GraphDetail } from '../../../api/types/types.ts';
import { provenOf, useEditor } from '../../../store/editor.ts';
import { saveNow } from '../../../store/saving.ts';
import classes from '../editor.module.css';

function Step({ danger, onShow }: { danger: Danger; onShow: (danger: Danger) => void }) {
  const label = useEditor((state) => state.records.nodes.get(danger.node)?.label || danger.node);
  const guarded = danger.way === null;
  const Glyph = guarded ? IconShieldCheck : IconShieldExclamation;
  return (
    <UnstyledButton className={classes.problem} data-row onClick={() => onShow(danger)}>
      <span data-tone={guarded ? 'green' : 'red'} className={classes.tone}>
        <Glyph size={15} stroke={1.9} role="img" aria-label={guarded ? 'Guarded' : 'Not guarded'} />
      </span>
      <span className={classes.problemWords}>
        <span>
          <strong>{label}</strong>{' '}
          {guarded
            ? 'Every way passes an approval or a verifier.'
            : 'A way passes neither an approval nor a verifier.'}
        </span>
        <span className={classes.problemPath}>{danger.why}</span>
      </span>
    </UnstyledButton>
  );
}

/** Whether publication takes a guard before every dangerous step. */
function Gate({ graphId }: { graphId: string }) {
  const required = useEditor((state) => state.requireApproval);
  const canEdit = useEditor((state) => state.can.edit);
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      await saveNow();
      return api.patch<GraphDetail>(`graphs/${graphId}/`, { require_approval: on });
    },
    onSuccess: (detail) =>
      useEditor.setState({ ...provenOf(detail), requireApproval: detail.require_approval }),
    onError: (error) =>
      notifications.show({ title: 'Not changed', message: messageOf(error), color: 'red' }),
  });
  return (
    <Switch
      size="xs"
      checked={change.isPending ? change.variables : required}
      disabled={!canEdit || change.isPending}
      label="Publish only with a guard before each"
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

interface PathProofProps {
  graphId: string;
  all: boolean;
  onAll: (all: boolean) => void;
  onShow: (danger: Danger) => void;
}

/** The dangerous steps of the draft, which of them are guarded, and the ways to those that are not. */
export function PathProof({ graphId, all, onAll, onShow }: PathProofProps) {
  const dangers = useEditor((state) => state.dangers);
  const open = dangers.filter((danger) => danger.way !== null).length;
  return (
    <section className={classes.proof} aria-label="Path proof">
      <header className={classes.proofHead}>
        <h3>Path proof</h3>
        <span className={classes.proofCount}>
          {dangers.length === 0
            ? 'No dangerous step'
            : `${dangers.length} dangerous, ${open} not guarded`}
        </span>
      </header>
      {dangers.map((danger) => (
        <Step key={danger.node} danger={danger} onShow={onShow} />
      ))}
      <div className={classes.proofSwitches}>
        <Switch
          size="xs"
          checked={all}
          disabled={open === 0 && !all}
          label="Draw every way without a guard"
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        <Gate graphId={graphId} />
      </div>
    </section>
  );
}
