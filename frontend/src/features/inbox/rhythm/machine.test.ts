import { describe, expect, it } from 'vitest';
import { type Effect, type Rhythm, type RhythmEvent, start, step } from './machine.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const press = (at: number, repeat = false) => ({ at, repeat });

/** Play events; gives where they end and everything that the page was told to do. */
function play(events: readonly RhythmEvent[], from: Rhythm = start): [Rhythm, Effect[]] {
  const told: Effect[] = [];
  let state = from;
  for (const event of events) {
    const [next, effects] = step(state, event);
    state = next;
    told.push(...effects);
  }
  return [state, told];
}
const listed = (now: readonly string[], complete = true, scope = 's'): RhythmEvent => ({
  type: 'listed',
  scope,
  ids: now,
  complete,
  at: null,
});
const painted = (id: string, at: number, hash = 'h'): RhythmEvent => ({
  type: 'painted',
  id,
  hash,
  at,
});
const decide = (
  at: number,
  verb: 'approve' | 'reject' = 'approve',
  due: 'nothing' | 'reason' | 'confirm' = 'nothing',
): RhythmEvent => ({ type: 'decide', verb, press: press(at), due });
const ready = (id = 'a', now: readonly string[] = ids) =>
  play([listed(now), { type: 'open', id }, painted(id, 1000)])[0];
const sent = (told: readonly Effect[]) =>
  told.flatMap((effect) => (effect.do === 'send' ? [`${effect.id}:${effect.hash}`] : []));
const said = (told: readonly Effect[]) =>
  told.flatMap((effect) => (effect.do === 'say' ? [effect.text] : []));

describe('an item that is opened by its address', () => {
  it('goes on being asked about where its list comes later', () => {
    const [state] = play([
      { type: 'open', id: 'a' },
      painted('a', 1000),
      decide(2000, 'approve', 'confirm'),
      { ...(listed(ids) as Extract<RhythmEvent, { type: 'listed' }>), at: 'a' },
    ]);

    expect([state.cursor, state.phase]).toEqual(['a', 'confirm']);
  });
});

describe('J and K', () => {
  it('move at once, and presses add up faster than anything is painted', () => {
    const [state, told] = play([
      listed(ids),
      { type: 'move', by: 1 },
      { type: 'move', by: 1 },
      { type: 'move', by: 1 },
      { type: 'move', by: -1 },
    ]);

    expect(state.cursor).toBe('c');
    expect(told).toHaveLength(4);
  });
  it('stop at both ends of a whole list', () => {
    expect(play([{ type: 'move', by: 1 }], ready('e'))[0].cursor).toBe('e');
    expect(play([{ type: 'move', by: -1 }], ready('a'))[0].cursor).toBe('a');
  });
  it('are owed past the end of what is loaded, and none is lost', () => {
    const [state] = play([
      listed(ids, false),
      { type: 'open', id: 'e' },
      { type: 'move', by: 1 },
      { type: 'move', by: 1 },
      listed([...ids, 'f', 'g', 'h'], false),
    ]);

    expect([state.cursor, state.owed]).toEqual(['g', 0]);
  });
});

describe('a deciding key', () => {
  it('decides what has been on screen long enough, with the content that was there', () => {
    const [state, told] = play([decide(1150)], ready('b'));

    expect(sent(told)).toEqual(['b:h']);
    expect([state.cursor, state.held.map((one) => one.id)]).toEqual(['c', ['b']]);
  });
  it('is not applied to what is not painted, or painted just now', () => {
    const unpainted = play([{ type: 'move', by: 1 }, decide(5000)], ready());
    const early = play([decide(1149)], ready());

    for (const [state, told] of [unpainted, early]) {
      expect(sent(told)).toEqual([]);
      expect(said(told)).toEqual(['Look at it first']);
      expect(state.held).toEqual([]);
    }
  });
  it('is not applied while it is only kept down', () => {
    const [, told] = play(
      [{ type: 'decide', verb: 'approve', press: press(9000, true), due: 'nothing' }],
      ready(),
    );

    expect(sent(told)).toEqual([]);
  });
  it('pressed a hundred times decides nothing that was not painted', () => {
    let state = ready();
    const decided: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const at = 1000 + n * 20;
      const [next, told] = step(state, decide(at));
      decided.push(...sent(told));
      // The page needs two frames after the cursor has moved.
      state =
        next.shown === null && next.cursor !== null && n % 3 === 2
          ? step(next, painted(next.cursor, at))[0]
          : next;
    }
    expect(decided).toEqual(['a:h', 'b:h', 'c:h', 'd:h', 'e:h']);
  });
  it('leads to the next item also where the list comes after it', () => {
    const early = [{ type: 'open', id: 'b' }, painted('b', 1000), decide(1150)] as const;
    const first = (now: readonly string[], at: string): RhythmEvent => ({
      ...(listed(now) as Extract<RhythmEvent, { type: 'listed' }>),
      at,
    });

    const [there, told] = play([...early, first(ids, 'b')]);
    const [left] = play([...early, first(['a', 'c'], 'b')]);
    const [alone] = play([...early, first(['b'], 'b')]);
    const [moved] = play([...early.slice(0, 2), { type: 'move', by: 1 }, first(ids, 'b')]);

    expect(sent(told)).toEqual(['b:h']);
    expect(told.at(-1)).toEqual({ do: 'go', id: 'c' });
    expect([there.cursor, left.cursor, alone.cursor]).toEqual(['c', 'a', 'b']);
    expect([moved.cursor, moved.held]).toEqual(['c', []]);
  });
  it('does nothing where a person has decided already', () => {
    const one = ready('a', ['a']);
    const [state, told] = play([decide(2000), decide(3000)], one);

    expect(sent(told)).toEqual(['a:h']);
    expect([state.cursor, said(told)]).toEqual(['a', ['You have decided this']]);
  });
  it('leads to the one before at the end of the list', () => {
    expect(play([decide(2000)], ready('e'))[0].cursor).toBe('d');
  });
});

describe('what is due', () => {
  it('a reason takes the cursor, and the decision follows with it', () => {
    const [asked, told] = play([decide(2000, 'reject', 'reason')], ready());
    const [state, then] = play([decide(3000, 'reject')], asked);

    expect([asked.phase, sent(told)]).toEqual(['reject', []]);
    expect([state.cursor, sent(then)]).toEqual(['b', ['a:h']]);
  });
  it('a gesture is asked once', () => {
    const [asked, told] = play([decide(2000, 'approve', 'confirm')], ready());
    const [, then] = play([decide(3000, 'approve', 'confirm')], asked);

    expect([asked.phase, sent(told), sent(then)]).toEqual(['confirm', [], ['a:h']]);
  });
  it('E edits what was looked at, Escape and J leave it', () => {
    const [editing] = play([{ type: 'phase', to: 'edit', press: press(2000) }], ready());
    const [early] = play([{ type: 'phase', to: 'edit', press: press(1001) }], ready());

    expect([editing.phase, early.phase]).toEqual(['edit', 'look']);
    expect(play([{ type: 'leave' }], editing)[0].phase).toBe('look');
    expect(play([{ type: 'move', by: 1 }], editing)[0].phase).toBe('look');
  });
});

describe('picks', () => {
  it('are decided in a dialog of exactly those', () => {
    const [state, told] = play(
      [{ type: 'pick', id: 'a' }, { type: 'pick', id: 'c' }, decide(2000)],
      ready(),
    );

    expect([...state.picks]).toEqual(['a', 'c']);
    expect(told).toEqual([{ do: 'dialog', verb: 'approve' }]);
  });
  it('grow with Shift and J, and shrink on the way back', () => {
    const down: RhythmEvent = { type: 'extend', by: 1 };
    const [three] = play([down, down], ready());
    const [two] = play([{ type: 'extend', by: -1 }], three);

    expect([[...three.picks], three.cursor]).toEqual([['a', 'b', 'c'], 'c']);
    expect([...two.picks]).toEqual(['a', 'b']);
  });
  it('are held together, and the cursor goes on from among them', () => {
    const picked = play([{ type: 'pickAll', ids: ['a', 'b'] }], ready())[0];
    const [state, told] = play([{ type: 'bulkHeld', ids: ['a', 'b'], verb: 'approve' }], picked);

    expect([state.cursor, state.picks.size, state.held.length]).toEqual(['c', 0, 2]);
    expect(sent(told)).toEqual([]);
  });
  it('are taken back together, and what was decided before them is not', () => {
    const before = play(
      [decide(2000), { type: 'bulkHeld', ids: ['b', 'c'], verb: 'reject' }],
      ready(),
    )[0];
    const [, told] = play([{ type: 'undo' }], before);
    const [, then] = play([{ type: 'withdrawn', ids: ['b', 'c'] }, { type: 'undo' }], before);

    expect(told).toEqual([{ do: 'withdraw', ids: ['b', 'c'] }]);
    expect(then.at(-1)).toEqual({ do: 'withdraw', ids: ['a'] });
  });
});

describe('what is held', () => {
  const held = () => play([decide(2000), { type: 'held', id: 'a', until: 10_000 }], ready())[0];

  it('is taken back with Mod+Z, and must be looked at anew', () => {
    const [, told] = play([{ type: 'undo' }], held());
    const [state, then] = play([{ type: 'withdrawn', ids: ['a'] }, decide(99_000)], held());

    expect(told).toEqual([{ do: 'withdraw', ids: ['a'] }]);
    expect([state.cursor, state.held, state.gone.size]).toEqual(['a', [], 0]);
    expect([sent(then), said(then)]).toEqual([[], ['Look at it first']]);
  });
  it('is taken back also where it stayed on screen', () => {
    const one = play([decide(2000), { type: 'withdrawn', ids: ['a'] }], ready('a', ['a']))[0];

    expect([one.cursor, one.shown]).toEqual(['a', null]);
  });
  it('is sent when its time is over: then nothing takes it back, and the cursor stays', () => {
    const [state] = play([{ type: 'tick', now: 10_000 }], held());
    const [, told] = play([{ type: 'undo' }], state);

    expect([state.held[0]?.state, state.cursor]).toEqual(['sending', 'b']);
    expect(said(told)).toEqual(['It is being sent already']);
  });
  it.each([
    ['done', true],
    ['lost', true],
    ['changed', false],
    ['failed', false],
  ] as const)('%s: the cursor stays, and the item is gone: %s', (outcome, isGone) => {
    const [state] = play([{ type: 'settled', id: 'a', outcome }], held());

    expect([state.cursor, state.held, state.gone.has('a')]).toEqual(['b', [], isGone]);
  });
  it('comes back where the list still has it once it was settled: one of several approvals', () => {
    const [settled] = play([{ type: 'settled', id: 'a', outcome: 'done' }], held());
    const [waiting] = play([listed(ids)], held());
    const [state] = play([listed(ids)], settled);

    expect([waiting.gone.has('a'), state.gone.has('a')]).toEqual([true, false]);
  });
  it('restored from before the page was loaded, it is listed again once it was settled', () => {
    const [state] = play([
      { type: 'bulkHeld', ids: ['a'], verb: 'approve' },
      listed([]),
      { type: 'settled', id: 'a', outcome: 'done' },
      listed(['a']),
    ]);

    expect([state.order, state.gone.size]).toEqual([['a'], 0]);
  });
  it('goes on under another filter, where the cursor is on the first', () => {
    const [state] = play([listed(['a', 'x', 'y'], true, 'other')], held());

    expect([state.cursor, state.held.length, state.shown]).toEqual(['x', 1, null]);
  });
});

describe('others', () => {
  it('decide what is on screen: the verbs freeze', () => {
    const [state, told] = play([{ type: 'closed', id: 'a' }, decide(3000)], ready());

    expect([state.frozen, sent(told)]).toEqual(['closed', []]);
    expect(said(told)).toEqual(['This is decided already']);
  });
  it('change what is on screen: the verbs freeze until that was looked at', () => {
    const [changed, told] = play([painted('a', 2000, 'new'), decide(9000)], ready());
    const [, then] = play([{ type: 'looked', at: 9100 }, decide(9300)], changed);

    expect([changed.frozen, sent(told)]).toEqual(['changed', []]);
    expect(sent(then)).toEqual(['a:new']);
  });
  it('add to the list: it stands still, and what arrived waits', () => {
    const [state] = play([listed(['n', 'a', 'b', 'm', 'c', 'd', 'e', 'z'])], ready('b'));
    const [shown] = play([{ type: 'fresh' }], state);

    expect([state.order.join(''), state.fresh.join(''), state.cursor]).toEqual([
      'abcdez',
      'nm',
      'b',
    ]);
    expect([shown.order.join(''), shown.fresh, shown.cursor]).toEqual(['nabmcdez', [], 'b']);
  });
  it('add to a list of which nothing is left: J leads on from the item that was last', () => {
    const [state] = play([listed(['x', 'y'])], ready('e'));
    const [moved, told] = play([{ type: 'move', by: 1 }], state);

    expect([state.cursor, state.fresh]).toEqual(['e', []]);
    expect([moved.cursor, told]).toEqual(['x', [{ do: 'go', id: 'x' }]]);
  });
  it('take from the list: what left keeps its place, and picks do not keep it', () => {
    const picked = play([{ type: 'pickAll', ids: ['c', 'd'] }], ready('c'))[0];
    const [state] = play([listed(['a', 'b', 'd', 'e'])], picked);

    expect([state.cursor, [...state.picks]]).toEqual(['c', ['d']]);
    expect([...play([{ type: 'pickAll', ids: ['c', 'd'] }], state)[0].picks]).toEqual(['d']);
    expect(play([{ type: 'move', by: 1 }], state)[0].cursor).toBe('d');
    expect(play([{ type: 'move', by: -1 }], state)[0].cursor).toBe('b');
  });
  it('push what is loaded over the end of a page: it is not gone', () => {
    const [state] = play([listed(['a', 'b', 'c'], false)], ready());

    expect(state.gone.size).toBe(0);
  });
  it('leave an empty list, which shows what arrives then', () => {
    const [state] = play([listed([]), listed(['x'])], ready('a', ['a']));

    expect([state.order.includes('x'), state.fresh]).toEqual([true, []]);
  });
});

it('another list takes the address with it: what is decided next is one of that list', () => {
  const [state, told] = play([listed(['x', 'y'], true, 'another list')], ready('b'));
  const [none, gone] = play([listed([], true, 'nothing fits')], ready('b'));

  expect([state.cursor, none.cursor]).toEqual(['x', null]);
  expect(told).toEqual([{ do: 'settle', id: 'x' }]);
  expect(gone).toEqual([{ do: 'settle', id: null }]);
});

it('what was sent cannot be taken back: it says since when, or that it is on its way', () => {
  const [sending] = play(
    [decide(1150), { type: 'held', id: 'a', until: 5 }, { type: 'tick', now: 6 }],
    ready('a'),
  );
  const [sentFor] = play([{ type: 'settled', id: 'a', outcome: 'done', now: 10_000 }], sending);
  const [other] = play([listed(['x'], true, 'another list')], sentFor);
  const late = (state: Rhythm) => said(play([{ type: 'undo', now: 22_000 }], state)[1]);

  expect([sending, sentFor, other].map(late)).toEqual([
    ['It is being sent already'],
    ['Already sent 12 s ago'],
    ['Already sent 12 s ago'],
  ]);
});

it('answers to questions are guarded like decisions, and lead on', () => {
  const [, told] = play(
    [
      { type: 'other', press: press(1001), id: 'a' },
      { type: 'other', press: press(2000), id: 'a' },
    ],
    ready(),
  );
  const [state] = play([{ type: 'answered', id: 'a' }], ready());

  expect(told).toEqual([
    { do: 'say', text: 'Look at it first', item: true },
    { do: 'allow', id: 'a' },
  ]);
  expect([state.cursor, state.gone.has('a')]).toEqual(['b', true]);
});

describe('a range of picks', () => {
  const offered = new Set(['a', 'b', 'd', 'e']);
  it('goes from the pick before to this one, over those that may be picked', () => {
    const [state] = play(
      [
        { type: 'pick', id: 'e' },
        { type: 'pickTo', id: 'b', offered },
      ],
      ready(),
    );
    expect([...state.picks].sort()).toEqual(['b', 'd', 'e']);
    const [less] = play([{ type: 'pickTo', id: 'd', offered }], state);
    expect([...less.picks]).toEqual(['e']);
  });
  it('starts at the open item where nothing was picked', () => {
    const [state] = play([{ type: 'pickTo', id: 'b', offered }], ready());
    expect([...state.picks]).toEqual(['a', 'b']);
  });
});

describe('what arrived', () => {
  it('comes in at its place of the chosen order', () => {
    const [state] = play(
      [listed(['new', 'a', 'b', 'mid', 'c', 'd', 'e']), { type: 'fresh' }],
      ready(),
    );
    expect(state.order).toEqual(['new', 'a', 'b', 'mid', 'c', 'd', 'e']);
    expect(state.fresh).toEqual([]);
  });
});
