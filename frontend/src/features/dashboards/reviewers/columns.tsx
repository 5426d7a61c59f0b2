import { Link } from 'react-router';
import type { BoardFilter, ReviewerLine, Reviewers } from '../../../api/http/boards.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';
import pages from '../../../ui/page/pages.module.css';
import { itemsAddress } from '../range/range.ts';
import { percent } from '../Tile.tsx';

export type Flag = 'decided' | 'approved' | 'quick' | 'unopened' | 'edited' | 'back' | 'overturned';

const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

/** Where the approvals are listed that a number of a line counts. */
export function addressOf(
  { since, until }: Pick<Reviewers, 'since' | 'until'>,
  filter: BoardFilter,
  { who, graph, node }: ReviewerLine,
  flag: Flag,
): string {
  const counted = {
    state: 'done',
    review: flag,
    closed_since: since,
    closed_until: until,
    ...(who ? { reviewer: who } : { node }),
  };
  return itemsAddress(graph ? { ...filter, graph } : filter, counted);
}

/** The columns of people or steps; each count leads to what it counts. */
export function columnsOf(data: Reviewers, filter: BoardFilter): Column<ReviewerLine>[] {
  const [only] = data.scope === 'mine' ? data.people : [];
  const place = (line: ReviewerLine) => (line.who || !only ? line : { ...line, who: '' });
  const to = (line: ReviewerLine, flag: Flag) => {
    const address = addressOf(data, filter, place(line), flag);
    return only && !line.who ? `${address}&reviewer=${only.who}` : address;
  };
  const count = (flag: Flag, label: string, wide = true): Column<ReviewerLine> => ({
    id: flag,
    label,
    align: 'right',
    width: 90,
    wide,
    cell: (line) => (line[flag] > 0 ? <Link to={to(line, flag)}>{line[flag]}</Link> : 0),
  });
  const figure = { align: 'right', width: 96, wide: true } as const;
  return [
    { id: 'name', label: 'Who', cell: nameOf },
    count('decided', 'Decided', false),
    {
      ...figure,
      id: 'approved',
      label: 'Approved',
      wide: false,
      cell: (line) => <Link to={to(line, 'approved')}>{percent(line.approved_share)}</Link>,
    },
    { ...figure, id: 'median', label: 'Until decided', cell: (l) => duration(l.median_ms) },
    { ...figure, id: 'seen', label: 'On screen', cell: (l) => duration(l.median_seen_ms) },
    count('quick', `Within ${data.quick_ms / 1000} s`),
    count('unopened', 'Approved unread'),
    count('edited', 'Edited'),
    count('back', 'Taken back'),
    count('overturned', 'Overturned', false),
  ];
}

function nameOf({ who, name, node }: ReviewerLine) {
  if (who) return name;
  return (
    <>
      <bdi>{node}</bdi>{' '}
      <span className={pages.dim}>
        · <bdi>{name || 'a workflow that is gone'}</bdi>
      </span>
    </>
  );
}
