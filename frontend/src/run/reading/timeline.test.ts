import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../fold/events.ts';
import { kindsIn, labelOf, timelineOf } from './timeline.ts';
import { foldTo } from '../fold/view.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 10, 21, 10) + ms).toISOString();
const events = [
  { seq: 1, type: 'RunStarted', at: at(0), graph_id: 'g' },
  { seq: 2, type: 'NodeQueued', at: at(0), node: 'm', key: 'm#1', visit: 1 },
  { seq: 3, type: 'NodeQueued', at: at(100), node: 'z', key: 'z#1', visit: 1 },
  { seq: 4, type: 'NodeStarted', at: at(200), node: 'm', key: 'm#1', attempt: 1, max_attempts: 1 },
  { seq: 5, type: 'NodeWaiting', at: at(300), node: 'm', key: 'm#1', on: 'interrupt' },
  { seq: 6, type: 'NodeQueued', at: at(400), node: 'w', key: 'm#1/w[0]#1', visit: 1 },
] as RunEvent[];

describe('timelineOf', () => {
  it('keeps attempts and waits apart and lets open bars grow to now', () => {
    const { rows } = timelineOf(foldTo(events, 6), Date.parse(at(1000)));

    expect(rows[0]?.bars.map((bar) => [bar.kind, bar.ms])).toEqual([
      ['queued', 200],
      ['attempt', 100],
      ['person', 700],
    ]);
  });

  it('places instants in order, from 0 to 1', () => {
    const { place, from } = timelineOf(foldTo(events, 6), Date.parse(at(1000)));
    const places = [0, 100, 200, 300, 400, 1000].map((ms) => place(from + ms));

    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1]);
  });

  it('draws a day of waiting short, so that the work stays visible beside what goes on', () => {
    const work = events.slice(0, 2).concat(events.slice(3, 5));
    const { rows, short } = timelineOf(
      foldTo(
        work.map((event, index) => ({ ...event, seq: index + 1 })),
        4,
      ),
      Date.parse(at(86_400_000)),
    );

    expect(short).toHaveLength(1);
    expect(rows[0]?.bars.at(-1)).toMatchObject({ kind: 'person', ms: 86_399_700 });
    expect(rows[0]?.bars[0]?.width).toBeGreaterThan(0.2);
    expect(rows[0]?.bars.at(-1)?.width).toBeGreaterThan(0.6);
  });

  it('has a legend of what it shows, and of nothing else', () => {
    const { rows } = timelineOf(foldTo(events, 6), Date.parse(at(1000)));

    expect(kindsIn(rows)).toEqual(['attempt', 'person', 'queued']);
    expect(kindsIn([])).toEqual([]);
  });

  it('puts children below their parent', () => {
    const { rows } = timelineOf(foldTo(events, 6), Date.parse(at(1000)));

    expect(rows.map((row) => [row.key, row.depth])).toEqual([
      ['m#1', 0],
      ['m#1/w[0]#1', 1],
      ['z#1', 0],
    ]);
  });
});

describe('labelOf', () => {
  it('names items and later visits', () => {
    expect(labelOf('m#1/w[0]#1')).toBe('w · item 1');
    expect(labelOf('m#1/w[9]#2', (id) => `<${id}>`)).toBe('<w> · item 10 · visit 2');
    expect(labelOf('charge[undo1]#1', () => 'Charge')).toBe('undo of Charge');
    expect(labelOf('review#2')).toBe('review · visit 2');
  });
});
