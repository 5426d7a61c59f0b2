import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { askAgain } from './askAgain.ts';

test('an answer arrives however often it is asked for, and the last word is heard', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  let asked = 0;
  let changes = 0;
  const observer = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => {
      asked += 1;
      const seen = changes;
      return new Promise<number>((answer) => setTimeout(() => answer(seen), 300));
    },
  });
  const heard: (number | undefined)[] = [];
  const end = observer.subscribe(({ data }) => heard.push(data));
  for (changes = 0; changes < 20; changes += 1) {
    askAgain(client, 'list');
    await vi.advanceTimersByTimeAsync(100);
  }
  const during = heard.filter((one) => one !== undefined).length;
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  vi.useRealTimers();

  expect(during).toBeGreaterThan(1);
  expect(asked).toBeLessThan(12);
  expect(client.getQueryData(['list'])).toBeGreaterThanOrEqual(19);
});

test('two who hear the same word ask once, and once more for the next', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'invalidateQueries');
  askAgain(client, 'list');
  askAgain(client, 'list');
  await vi.advanceTimersByTimeAsync(2_000);
  const forOne = asked.mock.calls.length;

  askAgain(client, 'list');
  await vi.advanceTimersByTimeAsync(10);
  askAgain(client, 'list');
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();

  expect(forOne).toBe(1);
  expect(asked).toHaveBeenCalledTimes(3);
});
