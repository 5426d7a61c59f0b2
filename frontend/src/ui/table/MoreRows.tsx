import { Button } from '@mantine/core';
import { totalOf } from '../../api/http/lists.ts';
import type { Page } from '../../api/types/types.ts';
import classes from '../ui.module.css';

export interface PagedList {
  data: { pages: Page<unknown>[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface MoreRowsProps {
  list: PagedList;
  label?: string;
  /** How many of the rows are about to leave: they are not counted. */
  leaving?: number;
}

/** How many rows are shown, of how many, and the way to more: a list never ends without saying so. */
export function MoreRows({ list, label = 'Show more', leaving = 0 }: MoreRowsProps) {
  const pages = list.data?.pages;
  const loaded = pages?.reduce((sum, page) => sum + page.results.length, 0) ?? 0;
  const shown = Math.max(0, loaded - leaving);
  const total = totalOf(pages, leaving);
  if (loaded === 0) return null;
  return (
    <div className={classes.moreRows}>
      <span role="status">
        {list.hasNextPage && total
          ? `${shown.toLocaleString('en')} of ${total}`
          : `${shown.toLocaleString('en')} in all`}
      </span>
      {list.hasNextPage ? (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {label}
        </Button>
      ) : null}
    </div>
  );
}
