import { IconAlertTriangle } from '@tabler/icons-react';
import type { Interrupt } from '../../../api/types/types.ts';
import { useWhole } from '../item/origin/PartOf.tsx';
import type { HeldVerb } from '../rhythm/machine.ts';
import classes from './ahead.module.css';
import { useForesight } from './queries.ts';
import { backOf, briefOf, endOf, isGrave, MOST_STEPS, type OneStep, stepsOf } from './words.ts';

/** What follows each of several decisions, told by the first of each step, so that nobody pays twenty times unasked. */
export function AheadOfMany({ items, verb }: { items: readonly Interrupt[]; verb: HeldVerb }) {
  const steps = stepsOf(items);
  if (steps.length === 0) return null;
  const more = steps.length - MOST_STEPS;
  return (
    <section className={classes.many} aria-label="What will happen">
      {steps.slice(0, MOST_STEPS).map(({ key, first, items: of }) => (
        <OfStep key={key} item={first} name={nameIn(steps, first)} count={of.length} verb={verb} />
      ))}
      {more > 0 ? (
        <p className={classes.quiet}>
          Look at those of {more} more {more === 1 ? 'step' : 'steps'} one by one.
        </p>
      ) : null}
    </section>
  );
}

/** What a step is called: with its workflow where another has a step of that name. */
function nameIn(steps: readonly OneStep[], { node_label: label, run }: Interrupt): string {
  const alike = steps.filter(({ first }) => first.node_label === label);
  return alike.length > 1 ? `${run.graph.name}, ${label}` : label;
}

interface OfStepProps {
  item: Interrupt;
  name: string;
  count: number;
  verb: HeldVerb;
}

function OfStep({ item, name, count, verb }: OfStepProps) {
  const decision = verb === 'approve' ? 'approved' : 'rejected';
  const { data, isError } = useForesight(item, decision, '', true);
  const isPart = useWhole(item) !== null;
  const grave = data?.steps.filter(isGrave) ?? [];
  const [worst] = grave;
  const others = (item.quorum?.remaining ?? 1) - 1;
  const when =
    verb === 'approve' && others > 0
      ? ` ${others === 1 ? 'One other person has' : `${others} other people have`} to approve as well. Then:`
      : verb === 'reject' && item.quorum?.no_ends_it === false
        ? ' Others can still approve. Once too few are left who could:'
        : '';
  const told = data?.steps.map((step) => `${step.label} ${briefOf(step)}`).join(', then ');
  return (
    <div className={classes.branch} data-grave={worst !== undefined || undefined}>
      <p>
        <b>
          {count} × {name}.
        </b>
        {when}{' '}
        {isError || (data && !told && !endOf(data, isPart))
          ? 'What follows cannot be told before.'
          : data === undefined
            ? 'Looking ahead …'
            : told
              ? `${count === 1 ? '' : 'For example, the first: '}${told}.`
              : endOf(data, isPart)}
      </p>
      {worst ? (
        <p className={classes.back} data-grave>
          <IconAlertTriangle size={14} aria-hidden />
          {grave.some((step) => step.dangerous) ? 'Marked as dangerous. ' : ''}
          {backOf(worst)}
        </p>
      ) : null}
    </div>
  );
}
