// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { MantineProvider, Popover } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useEscape } from './useEscape.ts';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (closed: () => void) =>
  render(
    <MantineProvider env="test">
      <Opened closed={closed} />
    </MantineProvider>,
  );

function Opened({ closed }: { closed: () => void }) {
  const [isOpen, setOpen] = useState(true);
  useEscape(isOpen, () => {
    closed();
    setOpen(false);
  });
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen}>
        <Popover.Target>
          <button type="button">{isOpen ? 'open' : 'shut'}</button>
        </Popover.Target>
        <Popover.Dropdown>
          <input aria-label="inside" />
        </Popover.Dropdown>
      </Popover>
      <div role="dialog" aria-modal="true">
        <input aria-label="above" />
      </div>
    </>
  );
}

test('Escape closes it where the focus has not moved in, and means nothing else', async () => {
  const closed = vi.fn();
  const heard = vi.fn();
  window.addEventListener('keydown', heard);
  show(closed);

  fireEvent.keyDown(document.body, { key: 'd' });
  expect(closed).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(await screen.findByRole('button', { name: 'shut' })).toBeVisible();
  expect(heard).toHaveBeenCalledTimes(1);

  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(closed).toHaveBeenCalledTimes(1);
  expect(heard).toHaveBeenCalledTimes(2);
  window.removeEventListener('keydown', heard);
});

test('what hears Escape itself, or lies above, is left to it', async () => {
  const closed = vi.fn();
  show(closed);

  fireEvent.keyDown(screen.getByLabelText('above'), { key: 'Escape' });
  expect(screen.getByRole('button', { name: 'open' })).toBeVisible();
  fireEvent.keyDown(await screen.findByLabelText('inside'), { key: 'Escape' });
  expect(await screen.findByRole('button', { name: 'shut' })).toBeVisible();
  expect(closed).not.toHaveBeenCalled();
});
