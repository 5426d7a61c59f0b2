import { readFileSync } from 'node:fs';
import { untouched } from '../../src/features/inbox/testing.ts';
import { fileURLToPath } from 'node:url';
import type { Interrupt, RunDetail, RunStatus, RunSummary } from '../../src/api/types/types.ts';
import { documents } from './graphs.ts';

interface WireEvent {
  seq: number;
  type: string;
  at: string;
  [field: string]: unknown;
}

/** The golden log of this name up to `seq`, moved so that it ended `minutesAgo`. */
function log(name: string, seq: number, minutesAgo: number): WireEvent[] {
  const path = fileURLToPath(new URL(`../../../tests/fixtures/logs/${name}.json`, import.meta.url));
  const { events } = JSON.parse(readFileSync(path, 'utf8')) as { events: WireEvent[] };
  const kept = events.slice(0, seq);
  const shift = Date.now() - minutesAgo * 60_000 - Date.parse(kept.at(-1)?.at ?? '');
  return kept.map((event) => ({
    ...event,
    at: new Date(Date.parse(event.at) + shift).toISOString(),
  }));
}

interface Made {
  id: string;
  doc: string;
  status: RunStatus;
  events: WireEvent[];
  spend: { usd: string; tokens: number };
  waiting?: string;
  error?: RunSummary['error'];
}

const failure = { code: 'NodeTimeout', message: 'No answer within 30 s.', node: 'draft' };
const made: Made[] = [
  {
    id: 'r0',
    doc: 'support',
    status: 'running',
    events: log('support_approval', 14, 0.05),
    spend: { usd: '0.000726', tokens: 336 },
  },
  {
    id: 'r1',
    doc: 'support',
    status: 'waiting',
    events: log('support_approval', 21, 3),
    spend: { usd: '0.001494', tokens: 679 },
    waiting: 'Approve refund',
  },
  {
    id: 'r2',
    doc: 'spend_guard',
    status: 'failed',
    events: log('retry_budget', 99, 55),
    spend: { usd: '0.0216', tokens: 5004 },
    error: failure,
  },
  {
    id: 'r3',
    doc: 'contract',
    status: 'completed',
    events: log('map_children', 99, 130),
    spend: { usd: '0.00042', tokens: 122 },
  },
  {
    id: 'r4',
    doc: 'spend_guard',
    status: 'waiting',
    events: log('retry_budget', 15, 8),
    spend: { usd: '0.01104', tokens: 984 },
    waiting: 'more budget',
  },
  {
    id: 'r5',
    doc: 'orders',
    status: 'waiting',
    events: log('in_doubt_cancel', 10, 31),
    spend: { usd: '0', tokens: 0 },
    waiting: 'Which carrier?',
  },
  {
    id: 'r6',
    doc: 'support',
    status: 'completed',
    events: log('support_approval', 99, 300),
    spend: { usd: '0.001494', tokens: 679 },
  },
  {
    id: 'r7',
    doc: 'orders',
    status: 'cancelled',
    events: log('in_doubt_cancel', 99, 900),
    spend: { usd: '0', tokens: 0 },
  },
];

function summary({ id, doc, status, events, spend, waiting, error }: Made): RunSummary {
  const first = events[0];
  const last = events.at(-1);
  const ended = ['completed', 'failed', 'cancelled', 'timeout'].includes(status);
  return {
    id,
    title: '',
    graph: { id: `g-${doc}`, slug: doc, name: documents[doc]?.name ?? doc },
    version: 3,
    is_draft: id === 'r4',
    status,
    waiting_for: waiting ? [waiting] : [],
    started_by: { id: '7', name: 'Alice Martin' },
    started_at: first?.at ?? '',
    ended_at: ended ? (last?.at ?? null) : null,
    duration_ms: Date.parse(last?.at ?? '') - Date.parse(first?.at ?? ''),
    spend,
    limit_usd: '0.50',
    error: error ?? null,
    parent_run: null,
    seq: events.length,
    tags: {},
    waiting_since: null,
    waits_until: null,
  };
}

export const runs: RunSummary[] = made.map(summary);
export const eventsOf = (id: string): WireEvent[] =>
  made.find((run) => run.id === id)?.events ?? [];

export function detail(id: string): RunDetail | null {
  const run = made.find((each) => each.id === id);
  if (!run) return null;
  const short = summary(run);
  return {
    ...short,
    as_of_seq: run.events.length,
    input: (run.events[0]?.input ?? null) as RunDetail['input'],
    goal: documents[run.doc]?.goal ?? '',
    result: null,
    document: documents[run.doc] as RunDetail['document'],
    spend: {
      ...run.spend,
      held_usd: '0',
      held_tokens: 0,
      limit_usd: '0.50',
      limit_tokens: null,
      tightest: null,
      by_node: {},
    },
    cause: null,
    forked_from: null,
    until: null,
    only: null,
    draft_differs: false,
    retried: null,
    interrupts: interrupts.filter((item) => item.run.id === id),
    can: { cancel: true, retry: true, fork: true, decide: true },
  };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

function item(
  id: string,
  run: string,
  node: string,
  label: string,
  kind: Interrupt['kind'],
  request: Interrupt['request'],
  more: Partial<Interrupt> = {},
): Interrupt {
  const doc = made.find((each) => each.id === run)?.doc ?? '';
  return {
    ...untouched,
    request_id: id,
    run: {
      id: run,
      title: '',
      graph: { id: `g-${doc}`, slug: doc, name: documents[doc]?.name ?? '' },
      started_by: { id: '7', name: 'Alice Martin' },
      is_test: false,
    },
    node,
    node_label: label,
    key: `${node}#1`,
    kind,
    status: 'open',
    opened_at: ago(3),
    expires_at: null,
    request,
    content_hash: 'c0ffee',
    resume_token: 'tok',
    can_decide: true,
    decided: null,
    spend_usd: '0.001494',
    ...more,
  };
}

const reply =
  'You were charged twice by mistake. We return 39.00 USD to your card today. The second charge was made when the payment page was reloaded; we have changed the page so that this cannot happen again.\n\nKind regards,\nThe billing team';
const editSchema = {
  type: 'object',
  properties: {
    refund: { type: 'object' },
    amount_usd: { type: 'number', title: 'Amount in USD', maximum: 100 },
    reply: { type: 'string', title: 'Reply to the customer' },
  },
};
const person = {
  type: 'object',
  required: ['company', 'seats'],
  properties: {
    company: { type: 'string', title: 'Company' },
    seats: { type: 'integer', title: 'Seats', minimum: 1 },
    plan: { enum: ['team', 'business'], title: 'Plan', default: 'team' },
    invoice: { type: 'boolean', title: 'Send an invoice' },
  },
};

export const interrupts: Interrupt[] = [
  item(
    'human-1',
    'r1',
    'review',
    'Approve refund',
    'approval',
    {
      prompt: 'Refund 39.00 USD to this customer?',
      data: { order: '1182', amount_usd: 39, refund: { payment: 'p-2', card: '•••• 4242' }, reply },
      editable_keys: ['amount_usd', 'reply'],
      edit_schema: editSchema,
      require_reason: 'reject',
    } as Interrupt['request'],
    { expires_at: new Date(Date.now() + 71 * 60_000).toISOString() },
  ),
  item(
    'human-9',
    'r4',
    'draft',
    'Draft',
    'budget',
    {
      level: 'run',
      limit_usd: '0.02',
      spent_usd: '0.01104',
      held_usd: '0',
      asked_usd: '0.012',
      limit_tokens: 200000,
    },
    { opened_at: ago(8), spend_usd: '0.01104' },
  ),
  item(
    'human-3',
    'r5',
    'ask',
    'Which carrier?',
    'choice',
    {
      question: 'Which carrier should take order 77?',
      options: [
        { id: 'post', label: 'Post', description: 'Three days, free' },
        { id: 'courier', label: 'Courier', description: 'Next day, 12 USD' },
      ],
      multiple: false,
    },
    { opened_at: ago(31) },
  ),
  item(
    'human-2',
    'r5',
    'pay',
    'Charge card',
    'in_doubt',
    {
      reason: 'unknown_outcome',
      tool: 'POST https://pay.example/charges',
      arguments: {
        method: 'POST',
        url: 'https://pay.example/charges',
        body: { order: '77', amount: '12.00' },
      },
      effect_class: 'unsafe',
    },
    { opened_at: ago(31), expires_at: new Date(Date.now() + 3 * 60_000).toISOString() },
  ),
  item(
    'human-5',
    'r5',
    'ask',
    'Customer data',
    'form',
    { question: 'Tell us about the new customer.', schema: person } as Interrupt['request'],
    { opened_at: ago(65) },
  ),
  item(
    'human-6',
    'r5',
    'ask',
    'Note',
    'text',
    { question: 'What should the answer mention?' },
    {
      opened_at: ago(200),
      can_decide: false,
      why_not: 'You started this run, and the person who starts a run may not decide here.',
    },
  ),
];

export const done: Interrupt[] = [
  item(
    'human-0',
    'r6',
    'review',
    'Approve refund',
    'approval',
    { prompt: 'Refund 12.50 USD to this customer?', data: { amount_usd: 12.5 } },
    {
      status: 'answered',
      opened_at: ago(310),
      can_decide: false,
      decided: {
        by: { id: '8', name: 'Bob Keller' },
        at: ago(300),
        decision: 'approved',
        comment: 'Friendlier words',
        answer: { edits: { reply: 'Sorry! We return 12.50 USD today.' } },
      },
    },
  ),
];
