import { visible } from '../run/values/visible.ts';
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

interface Exchange {
  request: SentRequest;
  answer?: GivenAnswer | null;
  unsent?: boolean;
}

/** The request and answer that the details of a failed HTTP step name, null where they name none. */
export function exchangeOf(detail: unknown): Exchange | null {
  if (!isRecord(detail) || !isRecord(detail.request)) return null;
  const { method, url, body } = detail.request;
  if (typeof method !== 'string' || typeof url !== 'string') return null;
  const request = typeof body === 'string' ? { method, url, body } : { method, url };
  // Only of a refused address it is told who opens it: no answer could come.
  if ('opened_by' in detail) return { request, unsent: true };
  const answer =
    isRecord(detail.answer) && typeof detail.answer.status === 'number'
      ? { status: detail.answer.status, body: String(detail.answer.body ?? '') }
      : null;
  return { request, answer };
}

/** The request of an HTTP step as its log has it, null where it is none. */
export function sentBy(step: unknown): SentRequest | null {
  if (!isRecord(step)) return null;
  const { method, url, body, query } = step;
  if (typeof method !== 'string' || typeof url !== 'string') return null;
  const asked = isRecord(query)
    ? Object.entries(query).map(([name, value]) => [name, shown(value)])
    : [];
  const more = asked.length > 0 ? `?${new URLSearchParams(asked).toString()}` : '';
  const isKept = body !== null && body !== undefined && !(isRecord(body) && '$blob' in body);
  return { method, url: `${url}${more}`, ...(isKept ? { body: shown(body) } : {}) };
}

const shown = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** What was sent and what came back, as far as it is kept. `unsent`: an address, this or one it was sent on to, was refused before. */
export function HttpExchange({ request, answer, unsent = false }: Exchange) {
  return (
    <div className={classes.exchange}>
      <div className={classes.line}>
        <b>{request.method}</b> <span className="gw-mono">{visible(request.url)}</span>
      </div>
      {request.body ? (
        <pre className={classes.body} aria-label="Body that was sent">
          {visible(request.body)}
        </pre>
      ) : null}
      {unsent ? (
        <div className={classes.quiet}>Nothing was sent to the refused address.</div>
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
              {visible(answer.body)}
            </pre>
          ) : null}
        </>
      )}
    </div>
  );
}
