import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type InboxView, noNarrowing } from '../../../../api/http/lists.ts';
import standing from '../../item/item.module.css';
import type { HeadProps } from '../InboxHead.tsx';
import { isShown, savedViewsQuery } from './viewQueries.ts';

const NAMES: Record<InboxView | 'all', string> = {
  decide: 'For me',
  mine: 'In person',
  groups: 'Groups',
  claimed: 'Claimed',
  asked: 'Asked',
  'asks-me': 'Asks me',
  overdue: 'Late or due soon',
  snoozed: 'Snoozed',
  all: 'Everyone’s',
};
/** Those that stand in the row; the others are behind its last button, which names the chosen one. */
const IN_ROW = ['decide', 'groups', 'all'] as const;
const BEHIND = ['mine', 'claimed', 'asks-me', 'asked', 'overdue', 'snoozed'] as const;

/** The ways in which everybody looks at the inbox, in one row. */
export function Views({ filter, change, leave }: HeadProps & { leave?: () => void }) {
  const { data: saved = [] } = useQuery(savedViewsQuery);
  const isSaved = saved.some((view) => isShown(view, filter));
  const chosen = isSaved ? null : (filter.view ?? 'all');
  const behind = BEHIND.find((view) => view === chosen);
  // What a saved view narrows to belongs to it, not to the view that is chosen after it.
  const choose = (view: InboxView | 'all') => {
    leave?.();
    change({ ...(isSaved ? noNarrowing : {}), view: view === 'decide' ? null : view });
  };
  return (
    <div className={standing.views} role="group" aria-label="Views">
      {IN_ROW.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={chosen === view}
          onClick={() => choose(view)}
        >
          {NAMES[view]}
        </button>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <button type="button" data-quiet data-chosen={behind !== undefined || undefined}>
            {behind ? NAMES[behind] : 'More'}
            <IconChevronDown size={13} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {BEHIND.map((view) => (
            <Menu.Item key={view} aria-current={view === chosen} onClick={() => choose(view)}>
              {NAMES[view]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
