import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { RunDetail } from '../../../api/types/types.ts';
import { exchangeOf, HttpExchange, sentBy } from '../../../liverun/HttpExchange.tsx';
import { failureCure, isListed } from '../../../run/ended/failureCure.ts';
import { failureTitle } from '../../../run/ended/failureWords.ts';
import { belowText, rejectedBelow } from '../../../run/ended/rejected.ts';
import type { WireError } from '../../../run/fold/events.ts';
import type { RunView } from '../../../run/fold/model.ts';
import { answeredLine } from '../../../run/values/answered.ts';
import { ErrorText } from '../../../ui/format/ErrorText.tsx';
import { personName } from '../../inbox/names.ts';
import { nodeLabel, shownActivation } from '../views/canvasViews.ts';
import classes from '../runs.module.css';

interface FailureProps {
  error: WireError;
  view: RunView;
  run: RunDetail;
  onNode: (id: string) => void;
}

/** Why the run failed, what its step had sent, and where the cause is put right. */
export function Failure({ error, view, run, onNode }: FailureProps) {
  const at = error.node ?? null;
  const answered = answeredLine(error.detail);
  const cure = failureCure(error, { graph: run.graph.id, node: at });
  const below = rejectedBelow(error);
  const { rejected_by: by } = run;
  const title =
    below === null ? failureTitle(error.code) : capital(belowText(by ? personName(by) : null));
  return (
    <Alert
      color={below === null ? 'red' : 'gray'}
      data-tone={below === null ? 'failed' : 'answered'}
      icon={below === null ? <IconAlertTriangle size={16} /> : <IconInfoCircle size={16} />}
      title={
        <span title={error.code}>
          {at ? `${title}, at “${nodeLabel(run.document, at)}”` : title}
        </span>
      }
    >
      <ErrorText text={below ?? error.message} />
      {answered ? <p className={classes.answered}>“{answered}”</p> : null}
      {cure?.why ? <p className={classes.answered}>{cure.why}</p> : null}
      {at ? <Sent error={error} view={view} node={at} /> : null}
      <Group gap="xs" mt="xs">
        {cure?.to ? (
          <Button component={Link} to={cure.to} size="compact-sm">
            {cure.label}
          </Button>
        ) : null}
        {at ? (
          <Button size="compact-sm" variant="default" onClick={() => onNode(at)}>
            Show the node
          </Button>
        ) : null}
      </Group>
    </Alert>
  );
}

/** The HTTP request of the step that failed: of its error, else of its last call. */
function Sent({ error, view, node }: { error: WireError; view: RunView; node: string }) {
  const told = exchangeOf(error.detail);
  if (told) return <HttpExchange {...told} />;
  const last = shownActivation(view, node)?.steps.findLast((step) => step.kind === 'http');
  const request = last?.status === 'failed' ? sentBy(last.request) : null;
  return request ? <HttpExchange request={request} unsent={isListed(error)} /> : null;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
