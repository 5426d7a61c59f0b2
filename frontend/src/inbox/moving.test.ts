import { describe, expect, it, vi } from 'vitest';
import type { Interrupt } from '../api/types.ts';
import { itemAfter } from './moving.ts';

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ request_id: String(n) }) as Interrupt);
const none = () => Promise.resolve([]);

describe('moving in the inbox', () => {
  it('goes on past the border of a page', async () => {
    const more = vi.fn(() => Promise.resolve(items(5)));
    expect((await itemAfter(items(3), 2, 1, more))?.request_id).toBe('3');
    expect(more).toHaveBeenCalledOnce();
  });
  it('asks for no page while there is an item', async () => {
    const more = vi.fn(none);
    expect((await itemAfter(items(3), 0, 1, more))?.request_id).toBe('1');
    expect((await itemAfter(items(3), 0, -1, more))?.request_id).toBe('0');
    expect(more).not.toHaveBeenCalled();
  });
  it('stays where the list ends, and where it is empty', async () => {
    expect(await itemAfter(items(3), 2, 1, none)).toBeNull();
    expect(await itemAfter([], -1, 1, none)).toBeNull();
  });
  it('begins at the first item when none is open', async () => {
    expect((await itemAfter(items(2), -1, 1, none))?.request_id).toBe('0');
  });
});
