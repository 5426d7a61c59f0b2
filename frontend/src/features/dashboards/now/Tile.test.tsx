// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { show, stubBrowser } from '../../../store/testing.tsx';
import { Tile } from '../Tile.tsx';

beforeEach(stubBrowser);
afterEach(cleanup);

test.each([
  ['a note', undefined],
  [undefined, 'before: 2'],
  ['a note', 'before: 2'],
])('a tile with %s and %s ends no line with a dot between them', (note, text) => {
  const { container } = show(
    <Tile label="Failed" value={3} note={note} before={text ? { text, to: '/runs' } : undefined} />,
  );
  expect(container.querySelector('small')).not.toHaveTextContent('·');
  if (note) expect(screen.getByText(note)).toBeVisible();
  if (text) expect(screen.getByRole('link', { name: text })).toBeVisible();
});
