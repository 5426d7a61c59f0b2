const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const HOUR = 3_600_000;

const hours = Array.from({ length: 24 }, (_, index) => {
  const wave = Math.max(0, Math.round(14 + 12 * Math.sin((index - 8) / 3.2)));
  return {
    hour: new Date(Math.floor(Date.now() / HOUR) * HOUR - (23 - index) * HOUR).toISOString(),
    completed: wave,
    failed: index % 7 === 3 ? 2 : 0,
    cancelled: index === 12 ? 1 : 0,
    timeout: index === 18 ? 1 : 0,
  };
});

const session = (query: URLSearchParams) => ({
  authenticated: true,
  needs_setup: false,
  csrf_token: 'x',
  mail: true,
  user: { id: '1', name: 'Dana Ruiz', email: 'dana@example.org' },
  workspace: {
    id: 'w',
    name: 'Acme',
    role: query.get('role') ?? 'admin',
    settings: {
      default_model: 'builtin/extractive',
      unknown_price: 'refuse',
      timezone: 'Europe/Berlin',
      egress_allow: ['https://pay.example:443'],
    },
  },
  workspaces: [{ id: 'w', name: 'Acme', role: 'admin' }],
});

const models = {
  default_model: 'builtin/extractive',
  models: [
    {
      id: 'builtin/extractive',
      label: 'Built-in extractive',
      provider: 'builtin',
      description:
        'Runs on this machine without a key. Classifies, extracts and quotes; writes no prose.',
      available: true,
      labelled: true,
      price: { input_per_million: '0', output_per_million: '0', dated: '2026-11-01' },
    },
    {
      id: 'ollama/llama3.2',
      label: 'llama3.2',
      provider: 'ollama',
      description: 'Found on this machine.',
      available: true,
      labelled: false,
      price: null,
    },
    {
      id: 'openai/gpt-mini',
      label: 'gpt-mini',
      provider: 'openai',
      description: 'General model of the provider.',
      available: false,
      labelled: false,
      price: { input_per_million: '0.40', output_per_million: '1.60', dated: '2026-10-15' },
    },
  ],
  found: [
    {
      id: 'ollama',
      provider: 'ollama',
      label: 'Ollama',
      base_url: 'http://127.0.0.1:11434',
      models: ['llama3.2', 'qwen3'],
      source: 'loopback',
      accepted: true,
    },
    {
      id: 'openai',
      provider: 'openai',
      label: 'OpenAI key',
      base_url: 'https://api.openai.example',
      models: ['gpt-mini', 'gpt-large'],
      source: 'environment',
      accepted: false,
    },
  ],
};

const agent = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  model: 'local/default',
  system_prompt: 'You sort tickets.',
  temperature: 0.2,
  max_output_tokens: 512,
  tools: [],
  permissions: null,
  used_by: ['g-support'],
  ...more,
});

/** What the smaller routes answer. */
export const catalogue: Record<string, (query: URLSearchParams) => unknown> = {
  session,
  models: () => models,
  agents: () => [
    agent('triage', 'Triage'),
    agent('billing', 'Billing', { tools: ['find_payments'], model: 'ollama/llama3.2' }),
    agent('writer', 'Writer', { used_by: [], temperature: null }),
  ],
  credentials: () => [
    {
      id: 'c1',
      name: 'Payment API',
      kind: 'bearer',
      hosts: ['pay.example'],
      created_at: ago(90_000),
      last_used_at: ago(31),
    },
    {
      id: 'c2',
      name: 'CRM',
      kind: 'header',
      hosts: ['crm.example', 'eu.crm.example'],
      created_at: ago(50_000),
      last_used_at: null,
    },
  ],
  members: () => [
    {
      id: 'm1',
      user: { id: '1', name: 'Dana Ruiz', email: 'dana@example.org' },
      role: 'admin',
      groups: ['finance'],
    },
    {
      id: 'm2',
      user: { id: '8', name: 'Bob Keller', email: 'bob@example.org' },
      role: 'reviewer',
      groups: ['finance', 'support'],
    },
    {
      id: 'm3',
      user: { id: '7', name: 'Alice Martin', email: 'alice@example.org' },
      role: 'author',
      groups: [],
    },
  ],
  tools: () => [
    {
      name: 'find_payments',
      source: 'python',
      description: 'Payments of an order.',
      parameters: {},
      effect_class: 'read',
      hash: 'a',
      accepted: true,
    },
  ],
  functions: () => [],
  'graph-templates': () => [
    {
      id: 'support',
      name: 'Support triage',
      description: 'Classify a ticket, draft the answer, ask before a refund.',
      node_types: ['agent', 'approval', 'tool'],
    },
    {
      id: 'contract',
      name: 'Contract review',
      description: 'Map over clauses, extract risks, vote, and write a brief with quotes.',
      node_types: ['map', 'agent', 'voting'],
    },
    {
      id: 'spend',
      name: 'Spend guard',
      description: 'A loop that meets its budget and asks for more in the inbox.',
      node_types: ['agent', 'verifier'],
    },
  ],
  overview: () => ({
    runs: { running: 4, waiting: 3, failed_24h: 8, completed_24h: 331 },
    open_interrupts: 6,
    spend_today_usd: '2.1834',
    spend_month_usd: '60.65',
    runs_per_hour: hours,
    spend_by_graph: [
      { graph: { id: 'g-contract', name: 'Contract review' }, usd: '42.10', tokens: 1_820_000 },
      { graph: { id: 'g-support', name: 'Support triage' }, usd: '18.42', tokens: 990_400 },
      { graph: { id: 'g-spend_guard', name: 'Spend guard' }, usd: '0.13', tokens: 6_100 },
    ],
  }),
};
