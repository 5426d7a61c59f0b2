import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf } from '../../../api/http/client.ts';
import type { Interrupt, InterruptRequest, Json } from '../../../api/types/types.ts';
import { HttpExchange } from '../../../liverun/HttpExchange.tsx';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { formatUsd } from '../../../ui/format/format.ts';
import { argumentsText, withSums } from '../sums/spelled.ts';
import { useWhole } from '../item/origin/PartOf.tsx';
import { isToolCall } from '../names.ts';
import classes from './ahead.module.css';
import { type ForeseenStep, type Verdict, useForesight } from './queries.ts';
import { backOf, doesOf, endOf, isGrave, leadOf, staysText } from './words.ts';

interface AheadProps {
  item: Interrupt;
  /** The edits as they are written just now, as JSON text; empty without any. */
  edits: string;
}

/** What follows if it is approved, and if it is rejected, before anybody decides. */
export function Ahead({ item, edits }: AheadProps) {
  return (
    <section className={classes.ahead} aria-label="What will happen">
      <Branch item={item} decision="approved" edits={edits} />
      <Branch item={item} decision="rejected" edits="" />
    </section>
  );
}

function Branch({ item, decision, edits }: AheadProps & { decision: Verdict }) {
  const { data, error, isError } = useForesight(item, decision, edits, true);
  const isPart = useWhole(item) !== null;
  const isRisky = data?.steps.some(isGrave) === true && !isError;
  const isRefused = decision === 'rejected' && isToolCall(item);
  const steps = data?.steps.filter((step) => !isRefused || step.node !== item.node) ?? [];
  const stays = decision === 'rejected' ? staysText(item) : '';
  const ending = data && (!isRefused || data.ends) ? endOf(data, isPart) : '';
  return (
    <div className={classes.branch} data-grave={isRisky || undefined}>
      <h3>{leadOf(item, decision, edits)}</h3>
      {stays ? (
        <>
          <p>{stays}</p>
          <p className={classes.quiet}>Once too few are left who could approve it:</p>
        </>
      ) : null}
      {isError ? <p>This cannot be told: {messageOf(error)}</p> : null}
      {!isError && data === undefined ? <p className={classes.quiet}>Looking ahead …</p> : null}
      {!isError && data !== undefined ? (
        <>
          {isRefused ? (
            <p>Nothing is sent. The agent reads your reason and goes on without this call.</p>
          ) : null}
          {steps.length > 0 ? (
            <ol>
              {steps.map((step) => (
                <Step key={`${step.node} ${step.does}`} step={step} request={item.request} />
              ))}
            </ol>
          ) : null}
          {ending ? <p>{ending}</p> : null}
        </>
      ) : null}
    </div>
  );
}

interface StepProps {
  step: ForeseenStep;
  /** What the item asks, by which sums are spelled. */
  request: InterruptRequest;
}

function Step({ step, request }: StepProps) {
  const back = backOf(step);
  return (
    <li>
      <p>
        {step.only_if ? <span className={classes.quiet}>Only if {step.only_if}: </span> : null}
        <b>{step.label}</b> {doesOf(step)}
        {step.does === 'fails' ? ` ${step.why_unknown ?? ''}` : null}
      </p>
      <Sent step={step} request={request} />
      {isGrave(step) || back ? (
        <p className={classes.back} data-grave={isGrave(step) || undefined}>
          {isGrave(step) ? <IconAlertTriangle size={14} aria-hidden /> : null}
          {step.dangerous ? 'Marked as dangerous. ' : ''}
          {back}
        </p>
      ) : null}
      {step.at_most_usd ? (
        <p className={classes.quiet}>Spends at most {formatUsd(step.at_most_usd)}</p>
      ) : null}
      {step.why_unknown && step.does !== 'fails' ? (
        <p className={classes.quiet}>Not all is known: {step.why_unknown}.</p>
      ) : null}
    </li>
  );
}

/** What a step hands over: the request, the arguments, or the words that somebody is asked. */
function Sent({ step: { does, call }, request: asked }: StepProps) {
  if (does === 'http') {
    const { method, url, body, credential } = call as Record<string, string | undefined>;
    return (
      <>
        <HttpExchange
          request={{ method: method ?? '', url: url ?? '', ...(body ? { body } : {}) }}
        />
        {credential ? (
          <p className={classes.quiet}>Signed with the credential {credential}</p>
        ) : null}
      </>
    );
  }
  if (does === 'approval' || does === 'ask')
    return <p className={classes.words}>{withSums(String(call.prompt ?? ''), asked)}</p>;
  return does === 'tool' || does === 'graph' ? (
    <ValueView value={argumentsText((call.arguments ?? {}) as Json, asked)} empty="No arguments." />
  ) : null;
}
