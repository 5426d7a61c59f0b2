import { SegmentedControl } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { NotFound } from '../../ui/page/NotFound.tsx';
import { AlertsBoard } from './alerts/AlertsBoard.tsx';
import { ApprovalsBoard } from './ApprovalsBoard.tsx';
import { OperationsBoard } from './OperationsBoard.tsx';
import pages from '../../ui/page/pages.module.css';
import { SpendBoard } from './spend/SpendBoard.tsx';
import { WorkersBoard } from './workers/WorkersBoard.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';

const BOARDS = [
  { value: 'operations', label: 'Operations', Board: OperationsBoard },
  { value: 'spend', label: 'Spend', Board: SpendBoard },
  { value: 'approvals', label: 'Approvals', Board: ApprovalsBoard },
  { value: 'alerts', label: 'Alerts', Board: AlertsBoard },
  { value: 'workers', label: 'Workers', Board: WorkersBoard },
];

/** How the workspace is doing: runs, money, decisions. Every number leads to the list behind it. */
export default function DashboardPage() {
  const { board = 'operations' } = useParams();
  const navigate = useNavigate();
  const shown = BOARDS.find((each) => each.value === board);
  if (shown === undefined) return <NotFound />;
  return (
    <div className={pages.page}>
      <PageHeader title="Dashboard" tab={`${shown.label} · Dashboard`}>
        <SegmentedControl
          value={board}
          onChange={(next) =>
            void navigate(next === 'operations' ? '/dashboard' : `/dashboard/${next}`)
          }
          aria-label="Board"
          data={BOARDS.map(({ value, label }) => ({ value, label }))}
        />
      </PageHeader>
      <div className={pages.body}>
        <shown.Board />
      </div>
    </div>
  );
}
