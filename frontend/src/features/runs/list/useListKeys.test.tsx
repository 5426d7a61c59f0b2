// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useShortcuts } from '../../../actions/registry.ts';
import { useListKeys } from './useListKeys.ts';

afterEach(cleanup);
Element.prototype.scrollIntoView = () => undefined;

function Rows({ ids, open }: { ids: readonly string[]; open: (id: string) => void }) {
  useShortcuts();
  const current = useListKeys({ group: 'Runs', ids, open });
  return (
    <ul>
      {ids.map((id) => (
        <li key={id} data-row={id} aria-current={id === current || undefined}>
          <a href={`#${id}`}>{id}</a>
        </li>
      ))}
    </ul>
  );
}

const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
};
const at = () => document.querySelector('[aria-current]')?.textContent ?? null;

test('J, K and the arrows move over the rows and stop at both ends', () => {
  render(<Rows ids={['a', 'b', 'c']} open={() => undefined} />);
  expect(at()).toBeNull();
  press('j', 'j');
  expect(at()).toBe('b');
  press('ArrowDown', 'j', 'j');
  expect(at()).toBe('c');
  press('k', 'ArrowUp', 'k');
  expect(at()).toBe('a');
});

test('Enter opens the row with the cursor, and nothing where none has it or a link has the focus', () => {
  const open = vi.fn();
  render(<Rows ids={['a', 'b']} open={open} />);
  press('Enter');
  expect(open).not.toHaveBeenCalled();
  press('j', 'j', 'Enter');
  expect(open.mock.calls).toEqual([['b']]);
  screen.getByRole('link', { name: 'a' }).focus();
  press('Enter');
  expect(open).toHaveBeenCalledTimes(1);
});

test('the cursor follows its row, and takes the place of one that went', () => {
  const { rerender } = render(<Rows ids={['a', 'b', 'c']} open={() => undefined} />);
  press('j', 'j');
  rerender(<Rows ids={['new', 'a', 'b', 'c']} open={() => undefined} />);
  expect(at()).toBe('b');
  press('k');
  expect(at()).toBe('a');
  rerender(<Rows ids={['new', 'b', 'c']} open={() => undefined} />);
  expect(at()).toBe('b');
});
