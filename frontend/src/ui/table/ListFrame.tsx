import type { ReactNode } from 'react';
import { ErrorState } from '../page/EmptyState.tsx';
import { ListSkeleton } from '../page/Skeletons.tsx';
import { MoreRows, type PagedList } from './MoreRows.tsx';

interface ListFrameProps {
  list: PagedList & {
    isPending: boolean;
    isError: boolean;
    isSuccess: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  /** Rows that are drawn while the list is awaited. */
  awaited?: number;
  /** What stands there when nothing is in it. */
  none: ReactNode;
  /** The way to more rows, in words. */
  more?: string;
  children: ReactNode;
}

/** A list of a page: awaited, failed with a way on, empty, or its rows, and how many there are. */
export function ListFrame({ list, awaited = 4, none, more, children }: ListFrameProps) {
  const isEmpty = list.isSuccess && !list.data?.pages.some((page) => page.results.length > 0);
  return (
    <>
      {list.isPending ? <ListSkeleton rows={awaited} /> : null}
      {list.isError ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : null}
      {isEmpty ? none : null}
      {children}
      <MoreRows list={list} {...(more ? { label: more } : {})} />
    </>
  );
}
