import { ActionIcon, Button, Slider, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipForward, IconPlayerTrackNext, IconPlayerTrackPrev } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { isTerminal } from '../run/model.ts';
import type { RunStore } from '../run/store.ts';
import { formatDuration } from '../ui/format.ts';
import classes from './runs.module.css';

const STEP_MS = 220;

/** Moves through the log event by event; the canvas, the memory and the panels show that moment. */
export function Scrubber({ store }: { store: RunStore }) {
  const head = useStore(store, (state) => state.head);
  const scrub = useStore(store, (state) => state.scrub);
  const view = useStore(store, (state) => state.view);
  const events = useStore(store, (state) => state.events);
  const [playing, setPlaying] = useState(false);
  const { scrubTo } = store.getState();
  const at = scrub ?? head.seq;
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const { scrub: current, head: end } = store.getState();
      if (current === null || current >= end.seq - 1) setPlaying(false);
      store.getState().scrubTo(current === null ? null : current + 1);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [playing, store]);
  const go = (seq: number) => {
    setPlaying(false);
    scrubTo(Math.max(1, Math.min(head.seq, seq)));
  };
  const play = () => {
    if (scrub === null) scrubTo(1);
    setPlaying(!playing);
  };
  const event = events[at - 1];
  const since = view.at !== null && view.startedAt !== null ? formatDuration(view.at - view.startedAt) : '';
  return (
    <div className={classes.scrubber} role="group" aria-label="Replay">
      <ActionIcon aria-label={playing ? 'Pause' : 'Replay'} onClick={play} disabled={head.seq < 2}>{playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}</ActionIcon>
      <ActionIcon aria-label="One event back" onClick={() => go(at - 1)} disabled={at <= 1}><IconPlayerTrackPrev size={16} /></ActionIcon>
      <ActionIcon aria-label="One event on" onClick={() => go(at + 1)} disabled={at >= head.seq}><IconPlayerTrackNext size={16} /></ActionIcon>
      <Slider
        className={classes.scrubSlider} size="sm" min={1} max={Math.max(2, head.seq)} value={at} onChange={go} label={null} thumbLabel="Event"
        disabled={head.seq < 2} thumbSize={14}
      />
      <Tooltip label={event ? `${event.type}, ${since} after the start` : 'No events yet'}>
        <span className={classes.scrubText}><span className="gw-num">{at} / {head.seq}</span><span className="gw-truncate">{event?.type}</span></span>
      </Tooltip>
      {scrub === null ? (
        <span className={classes.following}>{isTerminal(head.status) ? 'End' : <><i aria-hidden />Live</>}</span>
      ) : (
        <Button size="compact-xs" variant="light" leftSection={<IconPlayerSkipForward size={14} />} onClick={() => { setPlaying(false); scrubTo(null); }}>
          {isTerminal(head.status) ? 'End' : 'Live'}
        </Button>
      )}
    </div>
  );
}
