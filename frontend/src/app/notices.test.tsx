// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patiently } from '../api/http/wait/busy.ts';
import { confirm, NobodyAsks, useConfirmStore } from '../ui/confirm.tsx';
import { BusyNotice } from './BusyNotice.tsx';
import { visited, watchForNewVersions } from './newVersion.tsx';
import { RouteError } from './RouteError.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
});

afterEach(() => {
  cleanup();
  notifications.clean();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const show = (inside: ReactNode) => render(<MantineProvider env="test">{inside}</MantineProvider>);

function Broken({ message }: { message: string }): ReactNode {
  throw new TypeError(message);
}

function visit(message: string) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const element = <Broken message={message} />;
  const router = createMemoryRouter([{ path: '/', element, errorElement: <RouteError /> }]);
  show(<RouterProvider router={router} />);
}

test.each([
  'Failed to fetch dynamically imported module: http://localhost/static/build/RunPage-1a.js',
  'error loading dynamically imported module: http://localhost/static/build/RunPage-1a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /static/build/RunPage-1a.css',
])('a page whose code is gone offers to reload: %s', (message) => {
  visit(message);

  expect(screen.getByRole('alert')).toHaveTextContent('This page needs to be reloaded');
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible();
});

test('a page that cannot be fetched as the server is away opens anew once it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const reload = vi.fn();
  vi.stubGlobal('location', { reload, href: 'http://localhost/memory' });
  const away = new TypeError('Failed to fetch');
  const ask = vi.fn().mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  vi.stubGlobal('fetch', ask.mockResolvedValue(new Response()));
  visit('Failed to fetch dynamically imported module: /MemoryPage-1a.js');
  await act(() => vi.advanceTimersByTimeAsync(100));

  expect(screen.getByRole('alert')).toHaveTextContent('The server cannot be reached');
  expect(screen.queryByRole('button')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(reload).toHaveBeenCalledOnce();
});

test('another fault of a page is told as it was', () => {
  visit('x is not a function');

  expect(screen.getByRole('alert')).toHaveTextContent('x is not a function');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('code that is gone without a page of it offers to reload too, once there is a server', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const ask = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', ask.mockResolvedValue(new Response()));
  show(<Notifications />);
  const ignore = watchForNewVersions();
  act(() => {
    window.dispatchEvent(new Event('vite:preloadError'));
    window.dispatchEvent(new Event('vite:preloadError'));
  });
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull();

  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(await screen.findAllByRole('button', { name: 'Reload the page' })).toHaveLength(1);
  ignore();
});

const GONE = 'Failed to fetch dynamically imported module: /MemoryPage-1a.js';
const gone = () => Promise.reject(new TypeError(GONE));
/** As the bundle does: whoever listens is told of the error, then whoever asked for the code. */
const told = (error: Error) => {
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  return Promise.reject(error);
};
const soon = () => new Promise((resolve) => void setTimeout(() => resolve('waits'), 20));

test('a page whose code is gone is opened anew, once, and says nothing', async () => {
  sessionStorage.clear();
  const reload = vi.fn();
  vi.stubGlobal('location', { reload, href: 'http://localhost/memory' });
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response()));
  show(<Notifications />);
  const ignore = watchForNewVersions();
  const visit = () => visited(() => told(new TypeError(GONE)));

  expect(await Promise.race([visit(), soon()])).toBe('waits');
  expect(reload).toHaveBeenCalledOnce();
  await expect(visit()).rejects.toThrow('Failed to fetch');
  expect(reload).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull();
  ignore();
});

test('what is fetched beside a page that is on its way offers to reload all the same', async () => {
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response()));
  show(<Notifications />);
  const ignore = watchForNewVersions();
  let arrive: (page: string) => void = () => undefined;
  const page = visited(() => new Promise<string>((resolve) => void (arrive = resolve)));
  await expect(told(new TypeError(GONE))).rejects.toThrow('Failed to fetch');

  expect(await screen.findByRole('button', { name: 'Reload the page' })).toBeVisible();
  arrive('there');
  expect(await page).toBe('there');
  ignore();
});

test('where the dialog cannot be fetched, what is asked is answered with no', async () => {
  show(<NobodyAsks />);

  expect(await confirm({ title: 'Delete it?', text: 'For good.', confirm: 'Delete' })).toBe(false);
  expect(useConfirmStore.getState().question).toBeNull();
});

test('a fault of a page, a server that is away, and a browser that keeps nothing reload nothing', async () => {
  sessionStorage.clear();
  const reload = vi.fn();
  vi.stubGlobal('location', { reload, href: 'http://localhost/memory' });
  const ask = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', ask.mockResolvedValue(new Response()));
  await expect(visited(gone)).rejects.toThrow('Failed to fetch');
  expect(ask).toHaveBeenCalledOnce();

  await expect(visited(() => Promise.reject(new TypeError('x is no function')))).rejects.toThrow();
  vi.stubGlobal('sessionStorage', undefined);
  await expect(visited(gone)).rejects.toThrow('Failed to fetch');
  expect(reload).not.toHaveBeenCalled();
});

test('a short wait is not told, a longer one is until it ends', async () => {
  vi.useFakeTimers();
  show(<BusyNotice />);
  const answers = [new Response(null, { headers: { 'Retry-After': '5' } }), new Response()];
  const found = patiently(
    async () => answers.shift() ?? new Response(),
    async (response) => response.headers.has('Retry-After'),
    undefined,
  );
  await act(async () => {
    await vi.advanceTimersByTimeAsync(1_900);
  });
  expect(screen.getByRole('status')).toBeEmptyDOMElement();

  await act(async () => {
    await vi.advanceTimersByTimeAsync(200);
  });
  expect(screen.getByRole('status')).toHaveTextContent('The server is busy');

  await act(async () => {
    await vi.advanceTimersByTimeAsync(6_000);
    await found;
  });
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
