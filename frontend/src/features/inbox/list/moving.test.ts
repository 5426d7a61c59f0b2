import { describe, expect, it, vi } from 'vitest';
import type { Interrupt } from '../../../api/types/types.ts';
import { moveBy } from './moving.ts';
import { cursorAt, nowhere } from './selection.ts';

const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ request_id: String(n) }) as Interrupt);

/** Where a move ends, and how often another page was asked for. */
async function moved(
  count: number,
  at: number,
  to: 1 | -1,
  all = count,
): Promise<[string | null, number]> {
  let end: string | null = null;
  const more = vi.fn(() => Promise.resolve(all > count ? items(all) : []));
  const ids = items(count).map((item) => item.request_id);
  const place = { current: cursorAt(ids[at] ?? null, ids, nowhere) };
  moveBy(to, {
    items: items(count),
    place,
    more,
    go: (item) => {
      end = item.request_id;
    },
  });
  await Promise.resolve();
  await Promise.resolve();
  return [end, more.mock.calls.length];
}

describe('moving in the inbox', () => {
  it('goes on past the border of a page', async () =>
    expect(await moved(3, 2, 1, 5)).toEqual(['3', 1]));
  it('asks for no page while there is an item', async () => {
    expect(await moved(3, 0, 1, 5)).toEqual(['1', 0]);
    expect(await moved(3, 1, -1, 5)).toEqual(['0', 0]);
  });
  it('stays where the list ends, and where it is empty', async () => {
    expect((await moved(3, 2, 1))[0]).toBeNull();
    expect(await moved(3, 0, -1)).toEqual([null, 0]);
    expect((await moved(0, -1, 1))[0]).toBeNull();
  });
  it('begins at the first item when none is open', async () =>
    expect(await moved(2, -1, 1)).toEqual(['0', 0]));
  it('counts presses that come faster than the page is drawn', () => {
    const went: string[] = [];
    const ids = items(4).map((item) => item.request_id);
    const place = { current: cursorAt('0', ids, nowhere) };
    for (let press = 0; press < 2; press += 1)
      moveBy(1, {
        items: items(4),
        place,
        more: () => Promise.resolve([]),
        go: (item) => went.push(item.request_id),
      });
    expect(went).toEqual(['1', '2']);
  });
});
