import { describe, expect, it } from 'vitest';
import {
  daysName,
  endedAddress,
  itemsAddress,
  rangeName,
  refusedDays,
  stretchBefore,
  withinRange,
} from './range.ts';

const WEEK = { since: '2026-11-08T00:00:00.000Z', until: '2026-11-15T00:00:00.000Z' };

describe('the stretch of a board', () => {
  it('is told in words', () => {
    expect(rangeName({ hours: '168' })).toBe('7 days');
    expect(rangeName({ since: '2026-11-03', until: '2026-11-03' })).toMatch(/^(3 Nov|Nov 3)$/);
    expect(withinRange({ hours: '168' })).toBe('in the last 7 days');
    expect(withinRange({ since: '2026-11-03', until: '2026-11-03' })).toMatch(/^on (3|Nov)/);
    expect(withinRange({ since: '2026-11-03', until: '2026-11-05' })).toMatch(/^from .* to /);
    expect(daysName('2026-11-03', '2026-11-05')).toContain(' to ');
  });

  it('has as long a one before it', () => {
    expect(stretchBefore(WEEK)).toEqual({
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-08T00:00:00.000Z',
    });
  });

  it('is refused with the limit where it has too many days', () => {
    expect(refusedDays('2026-01-01', '2026-03-31', 90)).toBeNull();
    expect(refusedDays('2026-01-01', '2026-04-01', 90)).toBe(
      'These are 91 days: 90 at most are shown at once',
    );
    expect(refusedDays('2026-01-02', '2026-01-01', 90)).toBe('The first day comes first');
    expect(refusedDays('', '2026-01-01', 90)).toBeNull();
  });

  it('leads to what it counts, of the workflow that was chosen', () => {
    const runs = new URLSearchParams(endedAddress(WEEK, { graph: 'g' }, 'failed').split('?')[1]);
    expect(Object.fromEntries(runs)).toEqual({
      status: 'failed',
      ended_since: WEEK.since,
      ended_until: WEEK.until,
      graph: 'g',
    });
    expect(endedAddress(WEEK, {}, 'failed', { tests: 'false' })).toContain('tests=false&status=');
    expect(itemsAddress({}, { late: 'true' })).toBe('/inbox?view=all&kind=approval&late=true');
  });
});
