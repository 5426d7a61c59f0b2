import { Alert } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import type { CircuitView } from '../../../run/fold/model.ts';
import { formatDuration } from '../../../ui/format/format.ts';

/** Why attempts of a node were not made: its circuit stands open since too many failures. */
export function CircuitNote({ circuit, now }: { circuit: CircuitView | undefined; now: number }) {
  if (circuit === undefined || circuit.state !== 'open') return null;
  const left = circuit.probeAt === null ? null : circuit.probeAt - now;
  return (
    <Alert
      color="orange"
      icon={<IconShieldOff size={16} />}
      title={`The circuit to ${circuit.target} is open`}
    >
      {circuit.refused > 0
        ? `${circuit.refused} ${circuit.refused === 1 ? 'attempt was' : 'attempts were'} not made, because it kept failing. `
        : 'It kept failing; further attempts are not made for now. '}
      {left !== null && left > 0 ? `The next try is let through in ${formatDuration(left)}.` : ''}
    </Alert>
  );
}
