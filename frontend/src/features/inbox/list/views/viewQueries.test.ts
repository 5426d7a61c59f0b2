import { describe, expect, it } from 'vitest';
import { type SavedView, isShown, partOf, queryOf } from './viewQueries.ts';

const view = (query: Record<string, string>): SavedView => ({
  id: '1',
  name: 'Large',
  query,
  shared: false,
  mine: true,
  by: { id: 'u', name: 'Ada' },
  count: 2,
  count_is_more: false,
});

describe('saved views', () => {
  it('are what the list shows, whatever stands first', () => {
    const filter = { state: 'open' as const, view: 'decide' as const, ordering: '-amount' };
    expect(queryOf(filter)).toEqual({ state: 'open', view: 'decide', ordering: '-amount' });
    expect(isShown(view({ ordering: '-amount', view: 'decide', state: 'open' }), filter)).toBe(
      true,
    );
    expect(isShown(view({ state: 'open' }), filter)).toBe(false);
  });

  it('are shown in the usual order where they name none', () => {
    const open = { state: 'open' as const, ordering: 'deadline' };
    expect(isShown(view({ state: 'open' }), open)).toBe(true);
    expect(isShown(view({ state: 'open', ordering: 'deadline' }), open)).toBe(true);
    expect(isShown(view({ state: 'open', ordering: '-amount' }), open)).toBe(false);
    expect(isShown(view({ state: 'open' }), { ...open, ordering: '-risk' })).toBe(false);
    expect(isShown(view({ state: 'done' }), { state: 'done', ordering: '-decided' })).toBe(true);
  });

  it('take everything else out of the address', () => {
    const part = partOf(view({ state: 'open', view: 'decide', search: 'nora' }));
    expect(part).toMatchObject({ search: 'nora', view: 'decide', state: null, kind: null });
    expect(partOf(view({ state: 'open' })).view).toBe('all');
    expect(partOf(view({ state: 'done' }))).toMatchObject({ state: 'done', view: null });
  });
});
