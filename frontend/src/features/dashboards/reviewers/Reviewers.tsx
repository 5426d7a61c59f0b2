import { Group, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BoardFilter,
  type ReviewerLine,
  type Reviewers as Answer,
  reviewersQuery,
} from '../../../api/http/boards.ts';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import board from '../dashboard.module.css';
import { addressOf, columnsOf } from './columns.tsx';
import classes from './reviewers.module.css';

type By = 'people' | 'steps';
const COUNTED = 'how quickly, how often with edits, and what was overturned.';
const NOTHING = {
  all: `Nobody decided an approval in this time. Once somebody does, it is counted here: ${COUNTED}`,
  mine: `You decided no approval in this time; how others decide is for admins to see. Once you do, it is counted here: ${COUNTED}`,
};

/** Who decides in which way, by person and by step, with what somebody should look into. */
export function Reviewers({ filter }: { filter: BoardFilter }) {
  const { data } = useQuery({
    ...reviewersQuery(filter),
    placeholderData: (before: Answer | undefined) => before,
  });
  const [by, setBy] = useState<By>('people');
  if (!data) return null;
  const title = data.scope === 'all' ? 'How people decide' : 'How you decide';
  const lines = data[by];
  return (
    <section className={`${board.box} ${classes.reviewers}`} aria-label={title}>
      <header className={board.boxHead}>
        <h2>{title}</h2>
        <Group gap={8}>
          <SegmentedControl
            size="xs"
            value={by}
            onChange={(next) => setBy(next as By)}
            aria-label="A line for each"
            data={[
              { value: 'people', label: data.scope === 'all' ? 'By person' : 'You' },
              { value: 'steps', label: 'By step' },
            ]}
          />
          <CsvButton path="approvals/reviewers" query={{ ...filter }} />
        </Group>
      </header>
      <Warnings lines={data.people} data={data} filter={filter} />
      {lines.length === 0 ? (
        <p className={classes.note}>{NOTHING[data.scope]}</p>
      ) : (
        <>
          <DataTable
            label={`${title}, ${by === 'people' ? 'by person' : 'by step'}`}
            rows={lines}
            columns={columnsOf(data, filter)}
            keyOf={(line) => `${line.who}${line.graph}:${line.node}`}
          />
          <p className={classes.note}>
            Every number opens the approvals that it counts. An approval counts once it is closed.
            {data.scope === 'all' ? ' Everybody sees their own line, admins see all.' : ''}
          </p>
        </>
      )}
    </section>
  );
}

interface WarningsProps {
  lines: readonly ReviewerLine[];
  data: Answer;
  filter: BoardFilter;
}

function Warnings({ lines, data, filter }: WarningsProps) {
  const told = lines.flatMap((line) => line.warnings.map((one) => ({ line, ...one })));
  if (told.length === 0) return null;
  return (
    <ul className={classes.warnings}>
      {told.map(({ line, about, text }) => (
        <li key={`${line.who}${line.graph}:${line.node} ${about}`}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            <b>{line.name}:</b> {text} <a href={addressOf(data, filter, line, about)}>Show them</a>
          </span>
        </li>
      ))}
    </ul>
  );
}
