import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * A query client in which no answer is older than the last word of a change.
 *
 * The library breaks off a question that has an answer already, and waits for the first answer of any other:
 * one that was asked before the change and says what was true then, for as long as the page is open.
 * Here both are broken off and asked anew.
 */
export class FreshClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      const watched = query.isActive();
      if (watched && query.state.data !== undefined) continue;
      // Silently: whoever waits for the answer that is broken off gets the one that is asked now.
      void query.cancel({ silent: true });
      if (!watched) query.fetch().catch(() => undefined);
    }
    return super.invalidateQueries(filters, options);
  }
}
