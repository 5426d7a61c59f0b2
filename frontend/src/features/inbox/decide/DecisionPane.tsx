import { Alert, Anchor, Button, Group, Title } from '@mantine/core';
import { IconArrowBackUp, IconFlask, IconInfoCircle, IconLock } from '@tabler/icons-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Interrupt, Json, JsonSchema } from '../../../api/types/types.ts';
import { RunContext } from '../../../liverun/RunContext.ts';
import { visible } from '../../../run/values/visible.ts';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { Money } from '../../../ui/format/Money.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { useReading } from '../../comments/told/useReading.ts';
import { Ahead } from '../ahead/Ahead.tsx';
import { Alike } from '../ahead/Alike.tsx';
import { AskDialog } from '../asking/AskDialog.tsx';
import { AskedBack } from '../asking/AskedBack.tsx';
import { waitingOf } from '../asking/words.ts';
import { ItemBody } from './bodies.tsx';
import { Changes } from '../item/Changes.tsx';
import { Countdown } from '../item/deadline/Countdown.tsx';
import { useRunningOut } from '../item/deadline/useRunningOut.tsx';
import { ItemTools } from '../item/tools/ItemTools.tsx';
import classes from '../inbox.module.css';
import { closedText, decidedText, kindLook, runTitleOf, titleOf } from '../names.ts';
import standing from '../item/item.module.css';
import { PartOf } from '../item/origin/PartOf.tsx';
import { StartedWith } from '../item/origin/StartedWith.tsx';
import { starterOf } from '../item/origin/starter.ts';
import { ApprovalStatus, ApprovedSoFar } from '../item/ApprovalStatus.tsx';
import { AtIt } from '../item/presence/AtIt.tsx';
import { Unused } from '../item/Unused.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { Thread } from '../item/Thread.tsx';
import { GivenMark, PlaceMark } from './rights/PlaceMark.tsx';
import { type DecisionControl, useDecision } from './useDecision.ts';
import { DecisionButtons } from './DecisionButtons.tsx';
import type { VerbProps } from './gesture/VerbButton.tsx';
import { withCurrencies } from '../sums/currencies.ts';
import { withSums } from '../sums/spelled.ts';
import { Standstill } from '../rhythm/Standstill.tsx';
import { useConductor, useRhythm } from '../rhythm/conductor.ts';
import { useOpened } from '../rhythm/looks/useOpened.ts';
import { usePainted } from '../rhythm/looks/usePainted.ts';
import { useItemActions } from './useItemActions.ts';
import { lazyOnDemand } from '../../../ui/page/lazy/lazy.ts';

const Publication = lazyOnDemand(() => import('../item/Publication.tsx'));

interface DecisionPaneProps {
  item: Interrupt;
  /** Shortcuts of the inbox; off where an item is shown on another page. */
  shortcuts?: boolean;
  /** Leave out what the page around says already. */
  inRun?: boolean;
  /** What people who watch a run read about this node. */
  about?: string | undefined;
  /** What the workflow says of the fields that are shown. */
  schemas?: Readonly<Record<string, JsonSchema>> | undefined;
  /** What the run was started with, to be read beside the item. */
  input?: Json | undefined;
  onDone?: (item: Interrupt) => void;
  onReload?: () => void;
}

/** One item: what is asked and why, what is known, and the ways to decide. */
export function DecisionPane({
  item,
  shortcuts = false,
  inRun = false,
  about,
  schemas,
  input,
  onDone,
  onReload,
}: DecisionPaneProps) {
  const control = useDecision(item, onDone);
  const closed = item.status !== 'open' || control.outcome !== null;
  const id = item.request_id;
  const isHeld = useRhythm(({ held }) => held.some((one) => one.id === id));
  const decidable = item.can_decide && !closed && !isHeld;
  const publishes = item.run.graph.slug === 'publishing' && item.node === 'publish';
  const pane = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isShown = usePainted(pane, id, item.content_hash ?? '');
  useOpened(content, id);
  useReading({ item: id }, true);
  useItemActions(control, shortcuts && decidable);
  const { problems } = control;
  // What is typed next goes where something is missing, not on into another field.
  useEffect(() => {
    if (Object.keys(problems).length > 0)
      pane.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const [writing, setWriting] = useState(false);
  const [asking, setAsking] = useState(false);
  const waits = waitingOf(item);
  const stopsClock = item.kind === 'approval' && waits === null;
  const ask = () => (stopsClock ? setAsking : setWriting)(true);
  useRunningOut(item, decidable, stopsClock ? ask : null);
  const { icon: Glyph, label, tone } = kindLook(item);
  const runTitle = inRun ? '' : runTitleOf(item);
  return (
    <RunContext value={item.run.id}>
      <article
        ref={pane}
        className={classes.pane}
        data-request={id}
        data-shown={isShown}
        aria-label={`${label}: ${titleOf(item)}`}
      >
        <div ref={content} className={classes.paneScroll}>
          <header className={classes.paneHead}>
            <Group gap={8} wrap="wrap">
              <span className={classes.kind} data-tone={tone}>
                <Glyph size={14} stroke={2} aria-hidden />
                {label}
              </span>
              {item.run.is_test && !inRun ? (
                <span className={classes.kind} data-tone="violet">
                  <IconFlask size={14} stroke={2} aria-hidden />
                  Test of a draft
                </span>
              ) : null}
              {decidable ? <PlaceMark item={item} /> : null}
              <GivenMark item={item} />
              {item.status === 'open' && item.expires_at ? (
                <Countdown until={item.expires_at} />
              ) : null}
              {decidable && !inRun ? (
                <ItemTools item={item} shortcuts={shortcuts} onAsk={ask} />
              ) : null}
            </Group>
            <Title order={2} className={classes.paneTitle} dir="auto">
              {titleOf(item)}
            </Title>
            {runTitle ? (
              <p className={standing.run} title={runTitle}>
                {runTitle}
              </p>
            ) : null}
            {about ? <p className={classes.about}>{about}</p> : null}
            {inRun ? null : <Origin item={item} />}
          </header>
          <AtIt item={item} />
          <ApprovedSoFar item={item} />
          <Standstill item={item} />
          <AskedBack item={item} />
          <Result control={control} onReload={onReload} />
          <Unused item={item} schemas={schemas} />
          <Edited item={control.outcome?.kind === 'done' ? control.outcome.item : item} />
          {publishes ? (
            <Suspense fallback={<ListSkeleton rows={3} />}>
              <Publication item={item} />
            </Suspense>
          ) : null}
          <div className={classes.beside}>
            <div>
              <ItemBody
                control={control}
                readOnly={!decidable}
                hints={shortcuts}
                schemas={schemas}
              />
              {inRun || publishes ? null : (
                <StartedWith item={item} input={input} schemas={schemas} />
              )}
              {decidable && item.kind === 'approval' && !publishes ? (
                <Ahead item={item} edits={control.edits} />
              ) : null}
            </div>
            <div>
              <ApprovalStatus item={item} whyMe={decidable ? (item.why_me ?? null) : null} />
              {inRun || item.kind !== 'approval' ? null : (
                <Alike
                  item={item}
                  schemas={{ ...item.request.edit_schema?.properties, ...schemas }}
                />
              )}
            </div>
          </div>
          {!item.can_decide && !closed && !waits?.asks_me ? (
            <Alert
              icon={<IconLock size={16} />}
              color="gray"
              mt="md"
              title="You cannot decide this"
            >
              {sentence(item.why_not ?? 'your role does not allow it')}
            </Alert>
          ) : null}
          {inRun ? null : <Thread item={item} writing={writing} onWriting={setWriting} />}
        </div>
        {decidable ? <Verbs control={control} hints={shortcuts} /> : null}
        {asking ? (
          <AskDialog
            item={item}
            onClose={() => setAsking(false)}
            onThread={() => {
              setAsking(false);
              setWriting(true);
            }}
          />
        ) : null}
      </article>
    </RunContext>
  );
}

/** The ways to decide; while items are picked, the keys and buttons are those of the list. */
function Verbs(props: VerbProps) {
  const conductor = useConductor();
  const picked = useRhythm(({ picks }) => picks.size);
  if (picked === 0) return <DecisionButtons {...props} />;
  return (
    <footer className={classes.verbs}>
      <Group gap="sm">
        <span className={classes.about}>
          {picked === 1 ? 'One item is' : `${picked} items are`} picked: decide them below the list.
        </span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => conductor?.dispatch({ type: 'clear' })}
        >
          Decide only this one
        </Button>
      </Group>
    </footer>
  );
}

/** A reason of the server as a sentence. */
const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

function Origin({ item }: { item: Interrupt }) {
  return (
    <span className={classes.origin}>
      <Anchor component={Link} to={`/runs/${item.run.id}`} inherit underline="always">
        <bdi>{item.run.graph.name}</bdi>
      </Anchor>
      <PartOf item={item} /> · <bdi>{item.node_label}</bdi> · started by{' '}
      <bdi>{starterOf(item.run)}</bdi> · <RelativeTime at={item.opened_at} /> ·{' '}
      <Money usd={item.spend_usd} /> spent
    </span>
  );
}

/** What was changed of what was asked: since one decided oneself, and since it was first shown. */
function Edited({ item }: { item: Interrupt }) {
  const { changes, asked_again: again, shown_prompt: first } = item;
  const request = withCurrencies(item);
  const schemas = item.request.edit_schema?.properties;
  const was = Object.fromEntries(changes.map(({ key, before }) => [key, before]));
  const message =
    first === null
      ? []
      : [
          {
            key: 'message',
            before: withSums(first, { ...request, data: was }),
            after: withSums(request.prompt ?? '', request),
            added: false,
            by: changes.at(-1)?.by ?? null,
          },
        ];
  return (
    <>
      {again ? (
        <Changes
          title={`Changed since you ${again.decision} it: you are asked again`}
          changes={again.changes}
          schemas={schemas}
        />
      ) : null}
      {again && again.changes.length === changes.length ? null : (
        <Changes
          title="Changed since it was first shown"
          changes={[...changes, ...message]}
          schemas={schemas}
        />
      )}
    </>
  );
}

/** How an item ended: here, by somebody else first, or by time. */
function Result({
  control,
  onReload,
}: {
  control: DecisionControl;
  onReload: (() => void) | undefined;
}) {
  const { item, outcome } = control;
  if (outcome?.kind === 'changed') {
    return (
      <Alert
        icon={<IconArrowBackUp size={16} />}
        color="yellow"
        mb="md"
        title="What you were shown has changed"
      >
        Nothing was decided. Look at the new content first.
        {onReload ? (
          <Button mt="xs" size="xs" variant="default" onClick={onReload}>
            Show the new content
          </Button>
        ) : null}
      </Alert>
    );
  }
  if (outcome?.kind === 'lost') {
    const title = outcome.decided
      ? `${decidedText(outcome.decided)} first`
      : 'This was closed first';
    return (
      <Decided
        title={title}
        decided={outcome.decided}
        note={outcome.decided ? 'Your answer was not used.' : outcome.detail}
      />
    );
  }
  const decided = outcome?.kind === 'done' ? outcome.item : item.status === 'open' ? null : item;
  return decided ? <Decided title={closedText(decided)} decided={decided.decided} /> : null;
}

function Decided({
  title,
  decided,
  note,
}: {
  title: string;
  decided: Interrupt['decided'];
  note?: string;
}) {
  return (
    <Alert icon={<IconInfoCircle size={16} />} color="accent" mb="md" title={title} role="status">
      {note ? <p className={classes.about}>{note}</p> : null}
      {decided?.comment ? <p className={classes.quote}>{visible(decided.comment)}</p> : null}
      {decided ? <RelativeTime at={decided.at} /> : null}
      {decided?.answer !== null &&
      decided?.answer !== undefined &&
      decided.answer !== decided.decision ? (
        <ValueView value={decided.answer} />
      ) : null}
    </Alert>
  );
}
