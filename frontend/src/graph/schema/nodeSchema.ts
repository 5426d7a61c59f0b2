import type { JsonSchema } from '../../api/types/types.ts';
import type { SettingName } from '../document/document.ts';

const group = (name: string, schema: JsonSchema): JsonSchema => ({ ...schema, 'x-group': name });
const whole = (schema: JsonSchema = {}): JsonSchema => ({ type: 'integer', minimum: 0, ...schema });
const duration = (schema: JsonSchema = {}): JsonSchema =>
  whole({ 'x-widget': 'duration', maximum: 366 * 86_400_000, ...schema });
const maybe = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  default: null,
});

/** The groups of the inspector, in order. Fields of a node type's config join them by `x-group`. */
export const groups = ['Settings', 'Access', 'Reliability', 'Budget', 'Memory', 'Notes'] as const;
export type Group = (typeof groups)[number];

/** What every node has beside its type's config (`DOCUMENT.md` §1). */
export const nodeSchema: JsonSchema = {
  type: 'object',
  properties: {
    read_keys: group('Access', {
      type: 'array',
      items: { type: 'string' },
      'x-widget': 'keys',
      title: 'Can read',
      description:
        'What this node may see: keys of memory, input, previous, outputs.<node>. Nothing else reaches it.',
    }),
    write_keys: group('Access', {
      type: 'array',
      items: { type: 'string' },
      'x-widget': 'keys',
      title: 'Can write',
      description: 'Keys of memory that this node may write. Its own result keys need no grant.',
    }),
    merge: group('Access', {
      enum: ['deep', 'replace'],
      default: 'deep',
      title: 'Merge of written objects',
      description: 'Deep: field by field. Replace: the whole value.',
    }),
    failure_policy: group('Reliability', {
      type: 'object',
      title: 'When it fails',
      properties: {
        max_retries: whole({
          default: 3,
          maximum: 100,
          title: 'Retries',
          description: 'After the first attempt.',
        }),
        timeout_ms: maybe(duration({ minimum: 1, title: 'Time limit of an attempt' })),
        backoff_strategy: {
          enum: ['exponential', 'linear', 'fixed'],
          default: 'exponential',
          title: 'Back-off',
        },
        initial_backoff_ms: duration({ default: 1000, title: 'First wait' }),
        max_backoff_ms: duration({ default: 60000, title: 'Longest wait' }),
        circuit_breaker: {
          type: 'object',
          title: 'Circuit breaker',
          description: 'Stops calling a target that keeps failing, across runs.',
          properties: {
            enabled: { type: 'boolean', default: false, title: 'Enabled' },
            failure_threshold: whole({ minimum: 1, default: 5, title: 'Opens after failures' }),
            success_threshold: whole({ minimum: 1, default: 2, title: 'Closes after successes' }),
            timeout_ms: duration({ default: 60000, title: 'Probe after' }),
          },
        },
      },
    }),
    join: group('Reliability', {
      enum: ['all', 'any'],
      default: 'all',
      title: 'Several wires arrive',
      description: 'All: wait for every branch that will come. Any: run for each arrival.',
    }),
    requires_compensation: group('Reliability', {
      type: 'boolean',
      default: false,
      title: 'Undo when the run fails later',
    }),
    disabled: group('Reliability', {
      type: 'boolean',
      default: false,
      title: 'Disabled',
      description: 'The run passes over it and hands on what came in.',
    }),
    budget: group(
      'Budget',
      maybe({
        type: 'object',
        title: 'Limit of this node',
        properties: {
          max_cost_usd: maybe({ type: 'string', 'x-widget': 'money', title: 'At most, in USD' }),
          max_tokens: maybe(whole({ minimum: 1, title: 'At most, in tokens' })),
          on_breach: {
            enum: ['fail', 'ask', 'fallback'],
            default: 'fail',
            title: 'When it does not fit',
            description:
              'Ask puts a question into the inbox. Fallback goes on with a cheaper agent.',
          },
          fallback_agent_id: {
            ...maybe({ type: 'string', 'x-widget': 'agent', title: 'Cheaper agent' }),
            'x-when': ['on_breach', 'fallback'],
          },
          shrink_output: {
            type: 'boolean',
            default: false,
            title: 'May shorten the answer to fit',
          },
        },
      }),
    ),
    memory_query: group(
      'Memory',
      maybe({
        type: 'object',
        title: 'Recall facts before it runs',
        properties: {
          text: {
            type: 'string',
            default: '',
            'x-widget': 'prompt',
            title: 'About',
            description: 'A template; facts near it in meaning are recalled.',
          },
          entity_ids: { type: 'array', items: { type: 'string' }, default: [], title: 'Entities' },
          tags: { type: 'array', items: { type: 'string' }, default: [], title: 'Tags' },
          max_facts: whole({ minimum: 1, default: 5, title: 'At most' }),
        },
      }),
    ),
    human_description: group('Notes', {
      type: 'string',
      default: '',
      title: 'For people who watch a run',
      description: 'Shown on the run page and in the inbox.',
      'x-widget': 'text',
    }),
    description: group('Notes', {
      type: 'string',
      default: '',
      title: 'For authors',
      'x-widget': 'text',
    }),
    metadata: group('Notes', {
      type: 'object',
      default: {},
      'x-widget': 'json',
      title: 'Metadata',
      description: 'Free JSON for tools and documents; no effect on a run.',
    }),
  },
};

/** What an edge says beside its ends. Only one of `when`, `condition` and `trigger` may be set; the inspector offers that choice. */
export const edgeSchema: JsonSchema = {
  type: 'object',
  properties: {
    label: { type: 'string', default: '', title: 'Label' },
    on: {
      enum: ['completed', 'failed', 'rejected', 'timed_out'],
      default: 'completed',
      title: 'Taken when the node',
    },
    priority: {
      type: 'integer',
      default: 0,
      title: 'Priority',
      description: 'Conditions are tried from the lowest number up; the first match is taken.',
    },
  },
};

type GraphSetting = Exclude<SettingName, 'agents'>;

/** The settings of a graph. Agents have a list of their own. */
export const graphSchema: JsonSchema & { properties: Record<GraphSetting, JsonSchema> } = {
  type: 'object',
  properties: {
    goal: {
      type: 'string',
      default: '',
      title: 'Goal',
      'x-widget': 'text',
      description: 'What a run is for. A start may give another one.',
    },
    constraints: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      title: 'Constraints',
      'x-widget': 'lines',
    },
    limits: group('Limits', {
      type: 'object',
      title: 'Limits of a run',
      properties: {
        budget_usd: maybe({ type: 'string', 'x-widget': 'money', title: 'Budget, in USD' }),
        max_token_budget: maybe(whole({ minimum: 1, title: 'Budget, in tokens' })),
        max_iterations: whole({
          minimum: 1,
          maximum: 10000,
          default: 50,
          title: 'Most activations',
        }),
        max_execution_time_ms: duration({
          minimum: 1,
          default: 3600000,
          title: 'Longest time',
          description: 'Waiting for people is not counted.',
        }),
      },
    }),
    defaults: group('Defaults', {
      type: 'object',
      title: 'Defaults for nodes',
      properties: {
        read_keys: {
          type: 'array',
          items: { type: 'string' },
          default: [],
          'x-widget': 'keys',
          title: 'Every node reads',
        },
        write_keys: {
          type: 'array',
          items: { type: 'string' },
          default: [],
          'x-widget': 'keys',
          title: 'Every node writes',
        },
        merge: { enum: ['deep', 'replace'], default: 'deep', title: 'Merge of written objects' },
        on_no_match: { enum: ['fail', 'end'], default: 'fail', title: 'When no wire fits' },
      },
    }),
    state_schema: group(
      'Memory',
      maybe({
        type: 'object',
        'x-widget': 'json',
        title: 'Fields',
        description:
          'JSON Schema; a property may carry a reducer (append, union, sum, min, max, merge, replace).',
      }),
    ),
    initial_memory: group('Memory', {
      type: 'object',
      default: {},
      'x-widget': 'json',
      title: 'Fields set at the start',
    }),
    interface: group(
      'Interface',
      maybe({
        type: 'object',
        'x-widget': 'json',
        title: 'Inputs and outputs',
        description: 'Declared when the workflow is used as a subgraph, an API or a form.',
      }),
    ),
  },
};

/** What callers of a graph get back: keys of its memory. */
export const outputsSchema: JsonSchema = {
  type: 'object',
  properties: {
    outputs: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      'x-widget': 'keys',
      title: 'Results',
      description: 'Fields that a caller gets: another workflow, the API or a form.',
    },
  },
};

/** An agent that the graph brings along (`DOCUMENT.md` §1). */
export const agentSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$', title: 'Id' },
    model: { type: 'string', default: 'local/default', 'x-widget': 'model', title: 'Model' },
    system_prompt: { type: 'string', default: '', 'x-widget': 'text', title: 'System prompt' },
    temperature: {
      ...maybe({ type: 'number', minimum: 0, maximum: 2, title: 'Temperature' }),
      'x-group': 'More settings',
    },
    max_output_tokens: {
      ...whole({ minimum: 1, default: 2048, title: 'Longest answer, in tokens' }),
      'x-group': 'More settings',
    },
    tools: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      'x-widget': 'tools',
      title: 'Tools',
    },
    ask: {
      type: 'object',
      'x-widget': 'asks',
      title: 'Ask a person before',
      description: 'Whether people decide on a call of a tool before it is sent, and who.',
    },
  },
};
