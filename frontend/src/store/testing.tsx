import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router';
import { vi } from 'vitest';
import type { GraphDetail, GraphDoc, NodeDoc } from '../api/types/types.ts';
import { nodeType } from '../graph/document/testing.ts';
import { useEditor } from './editor.ts';

/** Two nodes in line behind the start: `a`, then `b`. */
export const twoNodes: NodeDoc[] = [
  { id: 'a', type: 'step', label: 'A', position: { x: 0, y: 0 } },
  { id: 'b', type: 'step', label: 'B', position: { x: 304, y: 0 } },
];
const line = [
  { id: 'in', source: '__start__', target: 'a' },
  { id: 'ab', source: 'a', target: 'b' },
];

/** Load a draft into the store: two nodes in line, but for what is given. */
export function loadDraft(document: Partial<GraphDoc> = {}, more: Partial<GraphDetail> = {}): void {
  const detail = {
    id: 'g1',
    name: 'G',
    revision: 1,
    problems: [],
    require_approval: false,
    can: { edit: true, publish: true, run: true },
    document: { graphwright: 1, id: 'g', nodes: twoNodes, edges: line, ...document },
    ...more,
  };
  useEditor
    .getState()
    .load(detail as unknown as GraphDetail, new Map([['step', nodeType('step')]]));
}

/** What components ask of a browser and jsdom lacks. */
export function stubBrowser(): void {
  const nothing = () => undefined;
  const watcher = class {
    observe = nothing;
    unobserve = nothing;
    disconnect = nothing;
  };
  vi.stubGlobal('ResizeObserver', watcher);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: nothing,
    removeEventListener: nothing,
    addListener: nothing,
    removeListener: nothing,
  }));
  Element.prototype.scrollIntoView = nothing;
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
}

/** Show an element as a page of the product does. */
export function show(element: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const around = (inner: ReactElement) => (
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <MemoryRouter>{inner}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
  const shown = render(around(element));
  return { ...shown, rerender: (next: ReactElement) => shown.rerender(around(next)) };
}

/** A request that the page sent. */
export interface Call {
  method: string;
  path: string;
  body: unknown;
}

/** An answer that is not a success. */
export class Refused {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

/** Answer requests by `METHOD path`, with a value or what a function makes of the body; gives the calls as they come. */
export function serve(answers: Record<string, unknown>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const path = new URL(address, 'http://test').pathname.replace(/^\/api\//, '');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ method, path, body });
    const made = answers[`${method} ${path}`] ?? new Refused(404, { detail: `no ${path}` });
    const answer = typeof made === 'function' ? (made as (body: unknown) => unknown)(body) : made;
    const refused = answer instanceof Refused;
    return Promise.resolve(
      new Response(JSON.stringify(refused ? answer.body : answer), {
        status: refused ? answer.status : 200,
        headers: { 'content-type': 'application/json' },
      }),
    );
  });
  return calls;
}

/** What a save answers that changed nothing for anybody else. */
export const saved = (revision: number) => ({
  revision,
  problems: [],
  others: { nodes: [], edges: [], deleted_nodes: [], deleted_edges: [], graph: null },
});
