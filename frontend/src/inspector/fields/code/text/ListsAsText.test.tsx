// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { show, stubBrowser } from '../../../../store/testing.tsx';
import { ListsAsText } from './ListsAsText.tsx';

const names = [{ name: 'memory.tags', detail: '', readable: true, items: 'text' as const }];
const onChange = vi.fn();
const write = (text: string) => {
  cleanup();
  stubBrowser();
  show(<ListsAsText text={text} names={names} onChange={onChange} />);
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a list in a text is said to be JSON there, and is written with commas by one click', () => {
  write('About {{ memory.tags }}.');
  expect(screen.getByText(/memory.tags is a list, written here as JSON/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Write it with commas' }));
  expect(onChange).toHaveBeenCalledWith('About {{ memory.tags.join(", ") }}.');
});

test.each(['{{ memory.tags }}', '{"tags": {{ memory.tags }}}', 'About {{ memory.level }}.'])(
  '%s may be meant so, or has none',
  (text) => {
    write(text);
    expect(screen.queryByRole('button')).toBeNull();
  },
);
