// @vitest-environment jsdom

import { beforeEach, expect, it } from 'vitest';
import { forgetDrafts, openDrafts, writeDrafts } from './ownDrafts.ts';

beforeEach(() => {
  forgetDrafts();
  openDrafts('ada');
});

/** What is read once the page was loaded anew by somebody. */
function reloadedBy(person: string): Record<string, unknown> | null {
  const kept = sessionStorage.getItem('graphwright.drafts');
  forgetDrafts();
  if (kept !== null) sessionStorage.setItem('graphwright.drafts', kept);
  return openDrafts(person);
}

it('gives back what the same person wrote, and nobody else', () => {
  writeDrafts({ a: { comment: 'Less' } });

  expect(openDrafts('ada')).toBeNull();
  expect(reloadedBy('ada')).toEqual({ a: { comment: 'Less' } });
  expect(reloadedBy('grace')).toEqual({});
});

it('forgets them once nobody is signed in', () => {
  writeDrafts({ a: 1 });
  forgetDrafts();

  expect(sessionStorage.getItem('graphwright.drafts')).toBeNull();
  expect(openDrafts('ada')).toEqual({});
});

it('keeps the newest that fit', () => {
  const drafts = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`d${n}`, n === 28 ? 'x'.repeat(30_000) : n]),
  );
  writeDrafts(drafts);

  const kept = reloadedBy('ada');
  expect(Object.keys(kept ?? {})).toHaveLength(20);
  expect(kept).toMatchObject({ d29: 29, d9: 9 });
  expect(kept).not.toHaveProperty('d28');
  writeDrafts({});
  expect(sessionStorage.getItem('graphwright.drafts')).toBeNull();
});

it('reads no drafts out of something else', () => {
  forgetDrafts();
  sessionStorage.setItem('graphwright.drafts', '{"person": 3');
  expect(openDrafts('ada')).toEqual({});
});
