import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Plugin, PreviewServer, ViteDevServer } from 'vite';
import { documents, graphs, nodeTypes } from './graphs.ts';
import { catalogue } from './catalogue.ts';
import { detail, done, eventsOf, interrupts, runs } from './runs.ts';
import { acceptSocket } from './socket.ts';

interface Answer {
  status: number;
  body: unknown;
}
const ok = (body: unknown): Answer => ({ status: 200, body });
const missing: Answer = {
  status: 404,
  body: { title: 'Not found', status: 404, code: 'NotFound', detail: 'No such thing.' },
};
const page = (results: unknown[]) => ok({ results, next: null });

function interruptsOf(query: URLSearchParams): Answer {
  const all = query.get('state') === 'done' ? done : interrupts;
  return page(
    all.filter(
      (item) =>
        (!query.get('kind') || item.kind === query.get('kind')) &&
        (!query.get('graph') || item.run.graph.id === query.get('graph')),
    ),
  );
}

function get(path: string, query: URLSearchParams): Answer {
  const [kind = '', id = '', part = ''] = path.split('/');
  if (kind === 'runs' && id === '')
    return page(
      runs.filter(
        (run) =>
          (!query.get('status') || run.status === query.get('status')) &&
          (!query.get('graph') || run.graph.id === query.get('graph')),
      ),
    );
  if (kind === 'runs' && part === 'events') {
    const events = eventsOf(id);
    return ok({
      events: events.filter((event) => event.seq > Number(query.get('after') ?? 0)),
      head: events.length,
    });
  }
  if (kind === 'runs') return detail(id) ? ok(detail(id)) : missing;
  if (kind === 'interrupts' && id === '') return interruptsOf(query);
  if (kind === 'interrupts')
    return ok([...interrupts, ...done].find((item) => item.request_id === id) ?? null);
  if (kind === 'graphs' && id === '')
    return page(
      graphs.filter((graph) =>
        graph.name.toLowerCase().includes((query.get('search') ?? '').toLowerCase()),
      ),
    );
  if (kind === 'graphs') {
    const graph = graphs.find((each) => each.id === id);
    return graph
      ? ok({
          ...graph,
          document: documents[graph.slug],
          problems: [],
          can: { edit: true, publish: true, run: true },
        })
      : missing;
  }
  if (kind === 'node-types') return ok(nodeTypes);
  return kind in catalogue ? ok(catalogue[kind]?.(query)) : missing;
}

/** Answers: the item decided, and for one item that somebody else was faster. */
function post(path: string, body: Record<string, unknown>): Answer {
  const [kind = '', id = '', verb = ''] = path.split('/');
  if (kind === 'interrupts' && verb === 'answer') {
    const item = interrupts.find((each) => each.request_id === id);
    if (!item) return missing;
    const decided = {
      by: { id: '8', name: 'Bob Keller' },
      at: new Date().toISOString(),
      decision: String(body.decision ?? 'answered'),
      comment: 'Done on the phone',
      answer: null,
    };
    if (id === 'human-2')
      return {
        status: 409,
        body: {
          title: 'Already decided',
          status: 409,
          code: 'AlreadyDecided',
          detail: 'Bob Keller decided first.',
          decided,
        },
      };
    return ok({
      ...item,
      status: 'answered',
      can_decide: false,
      decided: { ...decided, by: { id: '1', name: 'You' }, comment: body.comment ?? null },
    });
  }
  return ok(runs[0] ?? {});
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** The pages around the editor, served from memory: runs, inbox, lists, settings and a socket that streams. */
export function pagesServer(): Plugin {
  return {
    name: 'graphwright-pages',
    configureServer: serve,
    configurePreviewServer: serve,
  };
}

function serve({
  httpServer,
  middlewares,
}: Pick<PreviewServer, 'httpServer' | 'middlewares'> | ViteDevServer): void {
  httpServer?.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (request.url === '/ws/') acceptSocket(request, socket);
  });
  middlewares.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!url.pathname.startsWith('/api/')) return next();
    const path = url.pathname.slice(5).replace(/\/$/, '');
    const answered =
      request.method === 'GET'
        ? Promise.resolve(get(path, url.searchParams))
        : bodyOf(request).then((body) => post(path, body));
    void answered.then(({ status, body }) => {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
}
