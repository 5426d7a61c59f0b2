import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import type { DraftPatch, GraphDetail, GraphDoc, Problem } from '../src/api/types/types.ts';
import { support } from './graphs.ts';
import { nodeTypes } from './nodeTypes.ts';

const day = '2026-11-20T09:00:00Z';
const graphs = new Map<string, GraphDetail>();

function detail(id: string, document: GraphDoc): GraphDetail {
  return {
    id,
    slug: document.id,
    name: document.name ?? document.id,
    description: document.description ?? '',
    tags: ['support'],
    folder: '',
    updated_at: day,
    revision: 1,
    has_draft_changes: true,
    published: { number: 3, published_at: day, note: 'Two reviewers' },
    last_run: { id: 'r1', status: 'completed', at: day },
    runs_30d: 214,
    success_rate: 0.97,
    spend_month_usd: '18.42',
    open_approvals: 2,
    waits_for: [],
    document,
    problems: [],
    require_approval: false,
    can: { edit: true, publish: true, run: true },
  };
}

function check(document: GraphDoc): Problem[] {
  const ids = new Set(document.nodes.map((node) => node.id));
  const problems: Problem[] = [];
  for (const [index, node] of document.nodes.entries()) {
    const reached = document.edges.some((edge) => edge.target === node.id);
    if (!reached)
      problems.push({
        severity: 'warning',
        code: 'Unreachable',
        message: 'No path from the start leads here.',
        path: `nodes[${index}]`,
        node: node.id,
      });
    if (!node.human_description && node.type === 'agent')
      problems.push({
        severity: 'hint',
        code: 'NoHumanDescription',
        message: 'Say in a sentence what people should know about this step.',
        path: `nodes[${index}].human_description`,
        node: node.id,
      });
    const type = nodeTypes.find((entry) => entry.type === node.type);
    for (const name of type?.config_schema.required ?? []) {
      if (!node.config?.[name])
        problems.push({
          severity: 'error',
          code: 'MissingField',
          message: `${name} is required.`,
          path: `nodes[${index}].config.${name}`,
          node: node.id,
        });
    }
  }
  for (const edge of document.edges) {
    if (!edge.target.startsWith('__') && !ids.has(edge.target))
      problems.push({
        severity: 'error',
        code: 'UnknownTarget',
        message: `There is no node ${edge.target}.`,
        path: 'edges',
        edge: edge.id ?? null,
      });
  }
  return problems;
}

/** The list with these items set and those removed. */
function merged<T extends { id?: string }>(items: T[], set: T[] = [], gone: string[] = []): T[] {
  const map = new Map(items.map((item) => [item.id ?? '', item]));
  for (const item of set) map.set(item.id ?? '', item);
  for (const id of gone) map.delete(id);
  return [...map.values()];
}

function saveDraft(graph: GraphDetail, patch: DraftPatch) {
  const { document } = graph;
  const nodes = merged(document.nodes, patch.set_nodes, patch.delete_nodes);
  const edges = merged(document.edges, patch.set_edges, patch.delete_edges);
  graph.document = { ...document, ...(patch.set_graph as Partial<GraphDoc>), nodes, edges };
  const changed = Object.keys(patch).some(
    (key) => key.startsWith('set_') || key.startsWith('delete_'),
  );
  graph.revision += changed ? 1 : 0;
  graph.problems = check(graph.document);
  return {
    revision: graph.revision,
    problems: graph.problems,
    others: { nodes: [], edges: [], deleted_nodes: [], deleted_edges: [], graph: null },
  };
}

const session = {
  authenticated: true,
  needs_setup: false,
  csrf_token: 'mock',
  mail: false,
  user: { id: 'u1', name: 'Ada Lind', email: 'ada@example.com' },
  workspace: { id: 'w1', name: 'Acme', role: 'admin', settings: {} },
  workspaces: [{ id: 'w1', name: 'Acme', role: 'admin' }],
};
const agent = (id: string, name: string, model: string) => ({
  id,
  name,
  model,
  system_prompt: '',
  temperature: 0.2,
  max_output_tokens: 2048,
  tools: [],
  permissions: null,
  used_by: ['support'],
});

const fixed: Record<string, unknown> = {
  'session/': session,
  'node-types/': nodeTypes,
  'agents/': [
    agent('triage', 'Triage', 'builtin/extractive'),
    agent('billing', 'Billing expert', 'anthropic/claude'),
    agent('writer', 'Writer', 'anthropic/claude'),
    agent('assistant', 'Assistant', 'local/default'),
  ],
  'tools/': [
    {
      name: 'stripe.refund',
      source: 'stripe',
      description: 'Refund a charge.',
      parameters: {},
      effect_class: 'keyed',
      hash: 'a',
      accepted: true,
    },
    {
      name: 'search',
      source: 'python',
      description: 'Search the help centre.',
      parameters: {},
      effect_class: 'read',
      hash: 'b',
      accepted: true,
    },
  ],
  'functions/': [{ name: 'normalise', description: 'Normalise a ticket.' }],
  'credentials/': [],
  'models/': {
    default_model: 'builtin/extractive',
    models: [
      {
        id: 'builtin/extractive',
        label: 'Built-in extractive',
        provider: 'builtin',
        description: '',
        available: true,
        labelled: true,
        price: null,
      },
    ],
    found: [],
  },
  'interrupts/': [{ request_id: 'i1' }, { request_id: 'i2' }],
};

function graphRoute(method: string, parts: string[], body: unknown): [number, unknown] | null {
  const graph = graphs.get(parts[1] ?? '');
  if (!graph)
    return [
      404,
      { title: 'Not found', status: 404, code: 'NotFound', detail: 'There is no such graph.' },
    ];
  const rest = parts.slice(2).join('/');
  if (rest === '' && method === 'GET') return [200, graph];
  if (rest === 'draft' && method === 'PATCH') return [200, saveDraft(graph, body as DraftPatch)];
  if (rest === 'versions')
    return [
      200,
      [3, 2, 1].map((number) => ({
        number,
        published_at: day,
        published_by: 'Ada Lind',
        note: ['First', 'Adds the verifier', 'Two reviewers'][number - 1],
        hash: `h${number}`,
      })),
    ];
  if (rest === 'publish')
    return [201, { number: 4, published_at: day, published_by: 'Ada Lind', note: '', hash: 'h4' }];
  if (rest === 'runs') return [201, { id: 'r2' }];
  return null;
}

function route(method: string, path: string, body: unknown): [number, unknown] {
  if (path in fixed) return [200, fixed[path]];
  const parts = path.split('/').filter(Boolean);
  if (parts[0] === 'graphs' && parts.length === 1)
    return [200, { results: [...graphs.values()], next: null }];
  const answer = parts[0] === 'graphs' ? graphRoute(method, parts, body) : null;
  return (
    answer ?? [
      404,
      {
        title: 'Not found',
        status: 404,
        code: 'NotFound',
        detail: `The mock has no ${method} ${path}.`,
      },
    ]
  );
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? JSON.parse(text) : null;
}

function large(count: number): GraphDoc {
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    type: nodeTypes[index % nodeTypes.length]?.type ?? 'agent',
    label: `Step ${index}`,
    config: {},
    position: { x: (index % 25) * 328, y: Math.floor(index / 25) * 176 },
  }));
  const edges = nodes
    .slice(1)
    .map((node, index) => ({ id: `e${index}`, source: `n${index}`, target: node.id }));
  return { graphwright: 1, id: `large-${count}`, name: `Large ${count}`, nodes, edges };
}

/** A server of `docs/api.md` in memory, for looking at the editor without a backend. */
export function mockServer(): Plugin {
  for (const [id, document] of [
    ['g1', support],
    ['g500', large(500)],
    ['g0', { graphwright: 1, id: 'empty', name: 'New workflow', nodes: [], edges: [] }],
  ] as const) {
    graphs.set(id, detail(id, structuredClone(document) as GraphDoc));
  }
  for (const graph of graphs.values()) graph.problems = check(graph.document);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void bodyOf(request).then((body) => {
      const [status, value] = route(
        request.method ?? 'GET',
        (request.url ?? '/').replace(/^\//, '').split('?')[0] ?? '',
        body,
      );
      response.writeHead(status, {
        'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json',
      });
      response.end(JSON.stringify(value));
    });
  };
  return {
    name: 'graphwright-mock',
    configureServer: (server) => void server.middlewares.use('/api/', answer),
    configurePreviewServer: (server) => void server.middlewares.use('/api/', answer),
  };
}
