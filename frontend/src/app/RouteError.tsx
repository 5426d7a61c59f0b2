import { useRouteError } from 'react-router';
import { ErrorState } from '../ui/page/EmptyState.tsx';
import { isCodeGone } from '../ui/page/lazy/codeGone.ts';
import { NewVersion, reload } from './newVersion.tsx';

/** A page that failed to load or to draw; one whose code is gone is of an older version than the server. */
export function RouteError() {
  const error = useRouteError();
  if (isCodeGone(error)) return <NewVersion />;
  return <ErrorState error={error} onRetry={reload} />;
}
