import classes from './exchange.module.css';

export interface SentRequest {
  method: string;
  url: string;
  body?: string;
}
export interface GivenAnswer {
  status: number;
  body: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The request and answer that the details of a failed HTTP step name, null where they name none. */
export function exchangeOf(
  detail: unknown,
): { request: SentRequest; answer: GivenAnswer | null } | null {
  if (!isRecord(detail) || !isRecord(detail.request)) return null;
  const { method, url, body } = detail.request;
  if (typeof method !== 'string' || typeof url !== 'string') return null;
  const answer =
    isRecord(detail.answer) && typeof detail.answer.status === 'number'
      ? { status: detail.answer.status, body: String(detail.answer.body ?? '') }
      : null;
  return { request: typeof body === 'string' ? { method, url, body } : { method, url }, answer };
}

/** What was sent and what came back, as far as it is kept. */
export function HttpExchange({
  request,
  answer,
}: {
  request: SentRequest;
  answer?: GivenAnswer | null;
}) {
  return (
    <div className={classes.exchange}>
      <div className={classes.line}>
        <b>{request.method}</b> <span className="gw-mono">{request.url}</span>
      </div>
      {request.body ? (
        <pre className={classes.body} aria-label="Body that was sent">
          {request.body}
        </pre>
      ) : null}
      {answer === undefined ? null : answer === null ? (
        <div className={classes.quiet}>No answer came.</div>
      ) : (
        <>
          <div className={classes.line}>
            <b>{answer.status}</b> <span className={classes.quiet}>was the answer</span>
          </div>
          {answer.body ? (
            <pre className={classes.body} aria-label="Body of the answer">
              {answer.body}
            </pre>
          ) : null}
        </>
      )}
    </div>
  );
}
