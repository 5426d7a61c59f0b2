import { notifications } from '@mantine/notifications';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from './client.ts';
import { allRows, wholeList } from './queries.ts';

interface Answer {
  results: number[];
  next: string | null;
  can_edit: boolean;
}

/** Answers with pages of two rows, as many as are asked for. */
function pages(count: number) {
  return vi.spyOn(api, 'get').mockImplementation((_path, query) => {
    const at = Number(query?.cursor || 0);
    const next = at + 1 < count ? String(at + 1) : null;
    return Promise.resolve({ results: [2 * at, 2 * at + 1], next, can_edit: true });
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('a list is read to the end of its last page', async () => {
  const get = pages(3);

  const whole = await wholeList<Answer, number>('budgets/');

  expect(whole).toEqual({ results: [0, 1, 2, 3, 4, 5], next: null, can_edit: true });
  expect(get).toHaveBeenCalledTimes(3);
  expect(await allRows<number>('tokens/')).toHaveLength(6);
});

test('a list that is too long says how much of it is shown', async () => {
  pages(1000);
  const shown = vi.spyOn(notifications, 'show').mockReturnValue('');

  const rows = await allRows<number>('agents/');

  expect(rows).toHaveLength(50);
  expect(shown).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining('first 50 of') as unknown }),
  );
});

test('a list of one page is asked for once and told of by nobody', async () => {
  const get = pages(1);
  const shown = vi.spyOn(notifications, 'show').mockReturnValue('');

  expect(await allRows<number>('members/')).toEqual([0, 1]);
  expect(get).toHaveBeenCalledTimes(1);
  expect(shown).not.toHaveBeenCalled();
});
