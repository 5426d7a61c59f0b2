import { ActionIcon, Button, Slider, Tooltip } from '@mantine/core';
import {
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { describeEvent } from '../../../run/reading/describe.ts';
import { eventName } from '../../../run/ended/rejected.ts';
import { keyOf } from '../../../run/fold/events.ts';
import { isTerminal } from '../../../run/fold/model.ts';
import { keyMomentsOf } from '../../../run/reading/keyMoments.ts';
import type { RunStore } from '../../../run/replay/store.ts';
import { labelOf, type NodeName } from '../../../run/reading/timeline.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import classes from '../runs.module.css';
import type { Hearing } from '../../../liverun/useLiveRun.ts';
import { usePersonOf } from '../usePersonOf.ts';

const STEP_MS = 220;
const SPEEDS = [1, 4, 16] as const;
/** More marks than this say nothing any more. */
const MOST_MARKS = 120;

interface ScrubberProps {
  store: RunStore;
  nameOf: NodeName;
  hearing: Hearing;
}

/** Moves through the log event by event; the canvas, the memory and the panels show that moment. */
export function Scrubber({ store, nameOf, hearing }: ScrubberProps) {
  const head = useStore(store, (state) => state.head);
  const scrub = useStore(store, (state) => state.scrub);
  const view = useStore(store, (state) => state.view);
  const events = useStore(store, (state) => state.events);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>(1);
  const [playing, setPlaying] = usePlaying(store, speed);
  const { scrubTo } = store.getState();
  const at = scrub ?? head.seq;
  const go = (seq: number) => {
    setPlaying(false);
    scrubTo(Math.max(1, Math.min(head.seq, seq)));
  };
  const play = () => {
    if (scrub === null) scrubTo(1);
    setPlaying(!playing);
  };
  const personOf = usePersonOf(store);
  const event = events[at - 1];
  const since =
    view.at !== null && view.startedAt !== null ? formatDuration(view.at - view.startedAt) : '';
  const key = event ? keyOf(event) : undefined;
  const words = event
    ? [key === undefined ? '' : labelOf(key, nameOf), describeEvent(event, personOf)]
        .filter(Boolean)
        .join(': ')
    : '';
  return (
    <div className={classes.scrubber} role="group" aria-label="Replay">
      <ActionIcon aria-label={playing ? 'Pause' : 'Replay'} onClick={play} disabled={head.seq < 2}>
        {playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
      </ActionIcon>
      <Tooltip label="Speed of the replay">
        <button
          type="button"
          className={classes.speed}
          aria-label={`Speed: ${speed} times`}
          disabled={head.seq < 2}
          onClick={() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
        >
          {speed}×
        </button>
      </Tooltip>
      <ActionIcon aria-label="One event back" onClick={() => go(at - 1)} disabled={at <= 1}>
        <IconPlayerTrackPrev size={16} />
      </ActionIcon>
      <ActionIcon aria-label="One event on" onClick={() => go(at + 1)} disabled={at >= head.seq}>
        <IconPlayerTrackNext size={16} />
      </ActionIcon>
      <div className={classes.scrubTrack}>
        <Slider
          size="sm"
          min={1}
          max={Math.max(2, head.seq)}
          value={at}
          onChange={go}
          label={null}
          thumbLabel="Event"
          disabled={head.seq < 2}
          thumbSize={14}
        />
        <Marks store={store} onGo={go} />
      </div>
      <Tooltip
        label={
          event
            ? `${eventName(event)}, ${since} after the start${words ? `: ${words}` : ''}`
            : 'No events yet'
        }
        multiline
        maw={420}
      >
        <span className={classes.scrubText}>
          <span className="gw-num">
            {at} / {head.seq}
          </span>
          <span className={classes.scrubSince}>{since ? `+${since}` : ''}</span>
          <span className="gw-truncate">{event ? eventName(event) : null}</span>
        </span>
      </Tooltip>
      {scrub === null ? (
        <span className={classes.following}>
          {isTerminal(head.status) ? (
            'End'
          ) : hearing === 'live' ? (
            <>
              <i aria-hidden />
              Live
            </>
          ) : (
            'Newest'
          )}
        </span>
      ) : (
        <Button
          size="compact-xs"
          variant="light"
          leftSection={<IconPlayerSkipForward size={14} />}
          onClick={() => {
            setPlaying(false);
            scrubTo(null);
          }}
        >
          {isTerminal(head.status) ? 'End' : 'Live'}
        </Button>
      )}
    </div>
  );
}

/** Whether the replay runs; it stops at the end by itself. */
function usePlaying(store: RunStore, speed: number) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const { scrub: current, head: end } = store.getState();
      if (current === null || current + speed >= end.seq) setPlaying(false);
      store.getState().scrubTo(current === null ? null : current + speed);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [playing, store, speed]);
  return [playing, setPlaying] as const;
}

/** Where something happened that a person looks for: failures, waits, answers, ends. */
function Marks({ store, onGo }: { store: RunStore; onGo: (seq: number) => void }) {
  const events = useStore(store, (state) => state.events);
  const marks = useMemo(() => keyMomentsOf(events), [events]);
  if (marks.length > MOST_MARKS || events.length < 2) return null;
  return (
    <div className={classes.marks} aria-hidden>
      {marks.map((mark) => (
        <button
          key={mark.seq}
          type="button"
          tabIndex={-1}
          title={mark.text}
          data-tone-of={mark.tone}
          style={{ left: `${((mark.seq - 1) / (events.length - 1)) * 100}%` }}
          onClick={() => onGo(mark.seq)}
        />
      ))}
    </div>
  );
}
