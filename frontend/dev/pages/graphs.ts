import type { GraphDoc, GraphSummary, NodeTypeInfo } from '../../src/api/types/types.ts';

const node = (
  id: string,
  type: string,
  label: string,
  x: number,
  y: number,
  more: object = {},
) => ({ id, type, label, position: { x, y }, config: {}, ...more });

const blank = {
  description: '',
  goal: '',
  constraints: [],
  state_schema: null,
  initial_memory: {},
  defaults: {},
  limits: {},
  agents: [],
  notes: [],
};

export const documents = {
  support: {
    ...blank,
    graphwright: 1,
    id: 'support',
    name: 'Support triage',
    goal: 'Answer the customer.',
    limits: { budget_usd: '0.50' },
    nodes: [
      node('classify', 'agent', 'Classify', 0, 60, {
        human_description: 'Decides which team answers.',
        config: { agent_id: 'triage' },
      }),
      node('general', 'agent', 'General answer', 320, 200, {
        human_description: 'Answers everything that is not about money.',
      }),
      node('answer', 'agent', 'Billing answer', 320, 0, {
        human_description: 'Finds the payment and drafts the reply.',
        budget: { max_cost_usd: '0.02' },
        config: { agent_id: 'billing' },
      }),
      node('review', 'approval', 'Approve refund', 640, 0, {
        human_description: 'A person checks the refund before money moves.',
      }),
      node('refund', 'tool', 'Refund payment', 960, -60, {
        human_description: 'Sends the money back.',
        config: { tool_id: 'refund_payment' },
      }),
    ],
    edges: [
      { source: '__start__', target: 'classify' },
      {
        source: 'classify',
        target: 'answer',
        condition: "memory.topic == 'billing'",
        label: 'billing',
      },
      { source: 'classify', target: 'general' },
      { source: 'answer', target: 'review' },
      { source: 'review', target: 'refund', label: 'approved' },
      { source: 'refund', target: '__end__' },
      { source: 'review', target: 'general', on: 'rejected', label: 'rejected' },
    ],
  },
  spend_guard: {
    ...blank,
    graphwright: 1,
    id: 'spend_guard',
    name: 'Spend guard',
    goal: 'Write the brief within its budget.',
    limits: { budget_usd: '0.02' },
    nodes: [
      node('draft', 'agent', 'Draft', 0, 0, { budget: { max_cost_usd: '0.02' } }),
      node('check', 'verifier', 'Good enough?', 320, 0),
    ],
    edges: [
      { source: '__start__', target: 'draft' },
      { source: 'draft', target: 'check' },
      { source: 'check', target: 'draft', when: 'fail', label: 'again' },
      { source: 'check', target: '__end__', when: 'pass' },
    ],
  },
  contract: {
    ...blank,
    graphwright: 1,
    id: 'contract',
    name: 'Contract review',
    goal: 'Review the contract.',
    nodes: [
      node('each', 'map', 'Each clause', 0, 0),
      node('extract', 'agent', 'Extract risk', 0, 180),
      node('brief', 'synthesizer', 'Brief', 320, 0),
      node('archive', 'output', 'Archive', 320, 160),
    ],
    edges: [
      { source: '__start__', target: 'each' },
      { source: 'each', target: 'brief' },
      { source: 'each', target: 'archive' },
      { source: 'brief', target: '__end__' },
    ],
  },
  orders: {
    ...blank,
    graphwright: 1,
    id: 'orders',
    name: 'Order desk',
    goal: 'Ship the order.',
    nodes: [
      node('pay', 'http_request', 'Charge card', 0, 0),
      node('ask', 'question', 'Which carrier?', 0, 180),
      node('ship', 'tool', 'Ship', 320, 90),
    ],
    edges: [
      { source: '__start__', target: 'pay' },
      { source: '__start__', target: 'ask' },
      { source: 'pay', target: 'ship' },
      { source: 'ask', target: 'ship' },
    ],
  },
} as unknown as Record<string, GraphDoc>;

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function summary(id: string, name: string, more: Partial<GraphSummary>): GraphSummary {
  return {
    id: `g-${id}`,
    slug: id,
    name,
    description: '',
    tags: [],
    folder: '',
    updated_at: ago(90),
    revision: 4,
    has_draft_changes: false,
    published: null,
    last_run: null,
    runs_30d: 0,
    success_rate: null,
    spend_month_usd: '0',
    open_approvals: 0,
    waits_for: [],
    ...more,
  } as GraphSummary;
}

export const graphs: GraphSummary[] = [
  summary('support', 'Support triage', {
    description: 'Answers billing and technical questions.',
    tags: ['support'],
    folder: '',
    updated_at: ago(12),
    published: { number: 3, published_at: ago(4000), note: 'Shorter answers' },
    last_run: { id: 'r1', status: 'waiting', at: ago(3) },
    runs_30d: 412,
    success_rate: 0.97,
    spend_month_usd: '18.42',
    open_approvals: 2,
    has_draft_changes: true,
  }),
  summary('contract', 'Contract review', {
    description: 'Reads clauses and finds risks.',
    tags: ['legal'],
    folder: '',
    published: { number: 7, published_at: ago(9000), note: '' },
    last_run: { id: 'r3', status: 'completed', at: ago(130) },
    runs_30d: 38,
    success_rate: 0.89,
    spend_month_usd: '42.10',
  }),
  summary('spend_guard', 'Spend guard', {
    description: 'A loop that meets its budget.',
    last_run: { id: 'r2', status: 'failed', at: ago(55) },
    runs_30d: 6,
    success_rate: 0.5,
    spend_month_usd: '0.13',
    open_approvals: 1,
    has_draft_changes: true,
  }),
  summary('orders', 'Order desk', {
    description: 'Charges, asks for the carrier, ships.',
    tags: ['shop', 'beta'],
    folder: '',
    updated_at: ago(60 * 24 * 9),
    published: { number: 1, published_at: ago(20000), note: '' },
  }),
];

const type = (name: string, label: string, icon: string, category: string): NodeTypeInfo => ({
  type: name,
  label,
  icon,
  category,
  words: [],
  help: '',
  effect_class: 'pure',
  config_schema: {},
  defaults: { read_keys: [], write_keys: [], config: {} },
  handles: [{ id: 'completed', label: 'done', kind: 'completed' }],
  result_keys: [],
  prompts: false,
  writes_data: false,
  asks_people: false,
  views: [],
});

export const nodeTypes: NodeTypeInfo[] = [
  type('agent', 'Agent', 'robot', 'Models'),
  type('verifier', 'Verifier', 'checks', 'Models'),
  type('synthesizer', 'Synthesizer', 'arrows-join', 'Models'),
  type('approval', 'Approval', 'shield-check', 'People'),
  type('question', 'Question', 'message-question', 'People'),
  type('tool', 'Tool', 'tool', 'Effects'),
  type('http_request', 'HTTP request', 'world', 'Effects'),
  type('map', 'Map', 'list', 'Control'),
  type('output', 'Output', 'flag', 'Control'),
];
