import type { Problem } from '../types/types.ts';
import { patiently } from './wait/busy.ts';

/** An answer that is not a success, or not yet (202): the `problem+json` of the server, or status 0 when it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly problems: Problem[];
  readonly extra: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    const text = (key: string) => (typeof body[key] === 'string' ? (body[key] as string) : '');
    super(text('detail') || text('title') || `The server answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = text('code') || (status === 0 ? 'Unreachable' : 'Error');
    this.detail = this.message;
    this.problems = Array.isArray(body.problems) ? (body.problems as Problem[]) : [];
    this.extra = body;
  }
}

const KEPT = 'graphwright-workspace';

let csrfToken = '';
let workspaceId = keptWorkspace();

/** Remember what every unsafe request must carry; called with each session answer. */
export function setCredentials(csrf: string, workspace: string | null): void {
  csrfToken = csrf;
  workspaceId = workspace ?? '';
}

/** The workspace that requests and sockets are about; empty before the first session answer of a new browser. */
export const currentWorkspace = (): string => workspaceId;

/** Let this browser begin in a workspace from now on. */
export function keepWorkspace(id: string): void {
  try {
    localStorage.setItem(KEPT, id);
  } catch {
    // A browser that keeps nothing begins in the first workspace.
  }
}

function keptWorkspace(): string {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
  /** Whether it may be sent again where the server was busy, although its method and headers do not say so. */
  repeatable?: boolean;
  /** Where the path begins, if not at `/api/`. */
  root?: string;
}

const REPEATABLE = new Set(['GET', 'PUT', 'DELETE']);

/** Whether nothing is done twice when the request is sent again; a page that is being left waits for nothing. */
const mayRepeat = (method: string, options: RequestOptions): boolean =>
  options.keepalive !== true &&
  (REPEATABLE.has(method) ||
    options.repeatable === true ||
    options.headers?.['Idempotency-Key'] !== undefined);

/** Refusals that are over in a moment: others are at it, or this page asked too quickly. */
const PASSING = new Set(['Busy', 'TooManyRequests']);
const isBusy = async (response: Response): Promise<boolean> =>
  response.status === 429 && PASSING.has((await problemOf(response.clone())).code);

/** What is kept and has its effect later is told as a problem, too: with a success's status 202. */
const isProblem = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;

async function problemOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null)
      return new ApiError(response.status, body as Record<string, unknown>);
  } catch {
    // Not JSON: a proxy or a crash page; the status says enough.
  }
  return new ApiError(response.status, {});
}

/** What an answer carries: the parsed JSON, or text of other types. */
async function carried(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return json ? response.json() : response.text();
}

/**
 * One request, below `/api/` unless `root` says otherwise. Gives what `read` makes of the answer; raises `ApiError`.
 * Where the server is busy it waits and asks again, if nothing can be done twice by that.
 */
export async function request<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
  read: (response: Response) => unknown = carried,
): Promise<T> {
  const { query = {} } = options;
  const asked = Object.entries(query).filter(([, value]) => (value ?? '') !== '');
  const search = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString();
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET') headers['X-CSRFToken'] = csrfToken;
  if (workspaceId) headers['X-Workspace'] = workspaceId;
  const ask = () =>
    fetch(`${options.root ?? '/api/'}${path}${search && `?${search}`}`, {
      method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      credentials: 'same-origin',
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
    }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError(0, { title: 'The server cannot be reached.' });
    });
  const response = mayRepeat(method, options)
    ? await patiently(ask, isBusy, options.signal)
    : await ask();
  if (!response.ok || isProblem(response)) throw await problemOf(response);
  return (await read(response)) as T;
}

/** The API by verb. Paths are relative to `/api/` and end with a slash. */
export const api = {
  get: <T>(path: string, query?: Query, options?: RequestOptions) =>
    request<T>('GET', path, { ...options, ...(query ? { query } : {}) }),
  post: <T>(path: string, body?: unknown, options?: RequestOptions) =>
    request<T>('POST', path, { ...options, body: body ?? {} }),
  patch: <T>(path: string, body: unknown, options?: RequestOptions) =>
    request<T>('PATCH', path, { ...options, body }),
  delete: <T = void>(path: string) => request<T>('DELETE', path),
};

/** What a person should read about any error. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return 'Something went wrong.';
}

/** What the server says about one field of a form. */
export const fieldProblem = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError
    ? error.problems.find((problem) => problem.path === field)?.message
    : undefined;
