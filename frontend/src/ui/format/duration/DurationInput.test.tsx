// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DurationInput } from './DurationInput.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a form is not sent while a duration in it cannot be read', () => {
  render(
    <MantineProvider>
      <form data-testid="form">
        <DurationInput label="For" value={null} onChange={vi.fn()} />
      </form>
    </MantineProvider>,
  );
  const form = screen.getByTestId<HTMLFormElement>('form');
  const field = screen.getByLabelText('For');
  expect(form.checkValidity()).toBe(true);
  fireEvent.change(field, { target: { value: '7 of them' } });
  expect(form.checkValidity()).toBe(false);
  fireEvent.change(field, { target: { value: '7 min' } });
  expect(form.checkValidity()).toBe(true);
});
