// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DecimalBox, numberIn } from './DecimalBox.tsx';

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
});
afterEach(cleanup);

function Amount() {
  const [value, setValue] = useState<number | undefined>(12);
  return (
    <MantineProvider>
      <DecimalBox aria-label="Amount" value={value} onChange={setValue} />
      <output>{String(value)}</output>
    </MantineProvider>
  );
}

test.each([
  ['0.', '0.', '0'],
  ['0.5', '0.5', '0.5'],
  ['1234.50', '1234.50', '1234.5'],
  ['', '', 'undefined'],
])('what is typed stays as it is: %s', (typed, shown, value) => {
  render(<Amount />);
  const box = screen.getByLabelText<HTMLInputElement>('Amount');
  for (let end = typed === '' ? 0 : 1; end <= typed.length; end += 1)
    fireEvent.change(box, { target: { value: typed.slice(0, end) } });

  expect(box.value).toBe(shown);
  expect(screen.getByRole('status').textContent).toBe(value);
});

test('a text is the number that it says', () => {
  expect(['-', '', '0.', '2.50', 7].map(numberIn)).toEqual([undefined, undefined, 0, 2.5, 7]);
});
