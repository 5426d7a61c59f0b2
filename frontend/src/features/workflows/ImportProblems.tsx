import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, messageOf } from '../../api/http/client.ts';
import { Coded } from '../../ui/format/Coded.tsx';
import classes from './gallery.module.css';

/** Why a graph was not made: the message, and every problem of its document with its place. */
export function ImportProblems({ error }: { error: unknown }) {
  if (!error) return null;
  const problems = error instanceof ApiError ? error.problems : [];
  const title =
    problems.length === 0
      ? messageOf(error)
      : problems.length === 1
        ? 'There is a problem in the document'
        : `There are ${problems.length} problems in the document`;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={16} />} title={title} role="alert">
      {problems.length > 0 ? (
        <ul className={classes.problems} aria-label={`${problems.length} problems`} tabIndex={0}>
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.code} ${problem.message}`}>
              {problem.path ? <span className="gw-mono">{problem.path}</span> : null}{' '}
              <Coded text={problem.message} />
            </li>
          ))}
        </ul>
      ) : null}
    </Alert>
  );
}
