import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import { pressOf } from '../../rhythm/conductor.ts';
import type { Verb } from '../answer.ts';
import type { DecisionControl } from '../useDecision.ts';

/** What the ways to decide an item get: the control, and whether keys are shown. */
export interface VerbProps {
  control: DecisionControl;
  hints: boolean;
}

interface VerbButtonProps {
  control: DecisionControl;
  verb: Verb;
  label: string;
  keys?: string | undefined;
  look?: 'main' | 'danger' | 'plain';
  onClick?: (event: MouseEvent) => void;
}

/** One way to decide, as a button. */
export function VerbButton({
  control,
  verb,
  label,
  keys,
  look = 'plain',
  onClick,
}: VerbButtonProps) {
  const { pending, submit } = control;
  const style =
    look === 'main'
      ? { variant: 'filled' }
      : look === 'danger'
        ? { variant: 'light', color: 'red' }
        : { variant: 'default' };
  return (
    <Button
      {...style}
      loading={pending === verb}
      disabled={pending !== null && pending !== verb}
      rightSection={keys ? <Kbd keys={keys} /> : undefined}
      onClick={onClick ?? ((event) => submit(verb, pressOf(event)))}
    >
      {label}
    </Button>
  );
}
