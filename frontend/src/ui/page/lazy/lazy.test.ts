// @vitest-environment jsdom
import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hearAway, isSeenTo, isThere, onGivenUp } from './codeGone.ts';
import { fetched, lazyOnDemand } from './lazy.ts';

const Part = () => null;
const gone = new TypeError('Failed to fetch dynamically imported module: /Herald-1a.js');

let isUp = true;
beforeEach(() => {
  notifications.clean(); // what other files of the same process left
  isUp = true;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response();
  });
});

afterEach(() => {
  notifications.clean();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const said = () => notificationsStore.getState().notifications.map(({ title }) => title);

/** Ask for a part as React does when it is first drawn. */
const begin = (part: ReturnType<typeof lazyOnDemand>) => {
  const { _init, _payload } = part as unknown as {
    _init: (payload: unknown) => unknown;
    _payload: unknown;
  };
  return () => {
    try {
      return _init(_payload);
    } catch {
      return null;
    }
  };
};

test('a part that cannot be fetched is fetched once the server is back, and nothing is said', async () => {
  isUp = false;
  const load = vi.fn().mockRejectedValueOnce(gone).mockResolvedValue({ default: Part });
  const part = fetched(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledOnce();
  expect(said()).toEqual([]);

  isUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await part).toEqual({ default: Part });
  expect(load).toHaveBeenCalledTimes(2);
});

test('nothing is tried while the socket says that the server is away', async () => {
  isUp = false;
  const stop = hearAway(() => !isUp);
  const load = vi.fn().mockResolvedValue({ default: Part });
  const part = fetched(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).not.toHaveBeenCalled();

  isUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await part).toEqual({ default: Part });
  stop();
});

test('offline nothing is tried in vain, and being online is noticed at once', async () => {
  isUp = false;
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const load = vi.fn().mockResolvedValue({ default: Part });
  const part = fetched(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).not.toHaveBeenCalled();

  isUp = true;
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await part).toEqual({ default: Part });
});

test('a part that is gone for good stays away alone, and that is told once', async () => {
  const told = vi.fn();
  const ignore = onGivenUp(told);
  const load = vi.fn(() => Promise.reject(gone));
  expect(await fetched(load)).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
  expect(told).toHaveBeenCalledOnce();
  expect([isSeenTo(gone), isSeenTo(new TypeError(gone.message))]).toEqual([true, false]);
  ignore();
});

test.each([
  [200, true],
  [404, true],
  [502, false],
])('a server that answers %i is there: %s', async (status, isUpThen) => {
  vi.stubGlobal('fetch', async () => new Response(null, { status }));
  expect(await isThere()).toBe(isUpThen);
});

test('a fault of the part itself is no matter of fetching', async () => {
  const load = vi.fn().mockRejectedValue(new TypeError('x is not a function'));
  await expect(fetched(load)).rejects.toThrow('x is not a function');
  expect(load).toHaveBeenCalledOnce();
});

test('what somebody opens says that the server is away, until it is back', async () => {
  isUp = false;
  const load = vi.fn().mockRejectedValueOnce(gone).mockResolvedValue({ default: Part });
  const drawn = begin(lazyOnDemand(load));
  drawn();
  await vi.advanceTimersByTimeAsync(100);
  expect(said()).toEqual(['The server cannot be reached']);

  isUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said()).toEqual([]);
  expect(drawn()).toBe(Part);
});
