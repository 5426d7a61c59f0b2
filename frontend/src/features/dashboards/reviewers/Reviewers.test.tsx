// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BoardFilter } from '../../../api/http/boards.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { Reviewers } from './Reviewers.tsx';

const filter: BoardFilter = { hours: '24' };
const line = (name: string, about: string, text: string) => ({
  who: name,
  name,
  graph: null,
  node: '',
  decided: 33,
  approved: 32,
  approved_share: 0.97,
  seen: 24,
  quick: 24,
  unopened: 0,
  edited: 0,
  back: 0,
  overturned: 4,
  median_ms: 2_000,
  median_seen_ms: 800,
  warnings: [{ about, text }],
});
const stamp =
  '97 % of 33 approved; of the 24 with a known time on screen, 100 % within 3 s: may be a rubber stamp.';

beforeEach(() => {
  stubBrowser();
  serve({
    'GET approvals/reviewers/': {
      scope: 'all',
      since: '2026-11-28T12:00:00Z',
      until: '2026-11-29T12:00:00Z',
      quick_ms: 3_000,
      people: [
        line('Grace', 'quick', stamp),
        line('Hugo', 'overturned', 'Others said no to 4 of 33 afterwards.'),
      ],
      steps: [],
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('each warning leads to the approvals that it is about', async () => {
  show(<Reviewers filter={filter} />);
  await screen.findByText(stamp);
  const told = screen.getAllByRole('link', { name: 'Show them' });
  const counted = told.map((link) =>
    new URL(link.getAttribute('href') ?? '', 'http://test').searchParams.get('review'),
  );
  expect(counted).toEqual(['quick', 'overturned']);
});

test('a narrow screen keeps the columns that are meant for it', async () => {
  show(<Reviewers filter={filter} />);
  const hidden = (await screen.findAllByRole('columnheader'))
    .filter((head) => head.hasAttribute('data-wide'))
    .map((head) => head.textContent);
  expect(hidden).toContain('Until decided');
  for (const name of ['Who', 'Decided', 'Approved', 'Overturned'])
    expect(hidden).not.toContain(name);
});
