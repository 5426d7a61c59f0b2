import type { NodeTypeInfo } from '../../src/api/types/types.ts';
import { make, maybe, pick, prompt, text } from './make.ts';

/** Node types that decide what is done next, ask people, or look back. */
export const steering: NodeTypeInfo[] = [
  make(
    {
      type: 'router',
      label: 'Router',
      icon: 'route',
      category: 'Flow',
      help: 'Chooses the way on by an expression, or by the conditions on its edges.',
      handles: [{ id: 'branch', label: 'Else', kind: 'dynamic' }],
    },
    {
      expression: maybe({
        type: 'string',
        title: 'Expression',
        'x-widget': 'expression',
        description: 'Its text names a branch.',
      }),
    },
  ),
  make(
    {
      type: 'map',
      label: 'Map',
      icon: 'layers-linked',
      category: 'Flow',
      help: 'Runs a worker node once for each item of a list.',
    },
    {
      worker_node_id: pick('node', 'Worker'),
      items_path: maybe({ type: 'string', 'x-widget': 'jsonpath', title: 'Items' }),
      error_strategy: {
        enum: ['best_effort', 'fail_fast'],
        default: 'best_effort',
        title: 'When an item fails',
      },
      max_concurrency: { type: 'integer', minimum: 1, default: 5, title: 'At once' },
      max_items: { type: 'integer', default: 1000, title: 'Most items' },
    },
    ['worker_node_id'],
  ),
  make(
    {
      type: 'synthesizer',
      label: 'Synthesizer',
      icon: 'git-merge',
      category: 'Flow',
      help: 'Joins the results of branches or items into one.',
      effect_class: 'llm',
    },
    { agent_id: maybe(pick('agent', 'Agent')), prompt: maybe(prompt()) },
  ),
  make(
    {
      type: 'subgraph',
      label: 'Subgraph',
      icon: 'box-multiple',
      category: 'Flow',
      help: 'Runs another graph with its own memory.',
    },
    {
      subgraph_id: pick('graph', 'Graph'),
      input_mapping: { type: 'object', title: 'Input', additionalProperties: { type: 'string' } },
      output_mapping: { type: 'object', title: 'Output', additionalProperties: { type: 'string' } },
    },
    ['subgraph_id'],
  ),
  make(
    {
      type: 'delay',
      label: 'Delay',
      icon: 'clock-pause',
      category: 'Flow',
      help: 'Waits for a while, across restarts.',
    },
    { duration_ms: { type: 'integer', 'x-widget': 'duration', title: 'Wait' } },
    ['duration_ms'],
    { duration_ms: 60000 },
  ),
  make(
    {
      type: 'approval',
      label: 'Approval',
      icon: 'user-check',
      category: 'People',
      help: 'Stops until a person decides. Shows exactly what will happen.',
      handles: [
        { id: 'completed', label: 'Approved', kind: 'completed' },
        { id: 'rejected', label: 'Rejected', kind: 'rejected' },
        { id: 'timed_out', label: 'Timed out', kind: 'timed_out' },
      ],
    },
    {
      prompt_message: prompt('Question'),
      review_keys: {
        type: 'array',
        items: { type: 'string' },
        default: ['*'],
        'x-widget': 'keys',
        title: 'Shows',
      },
      editable_keys: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        'x-widget': 'keys',
        title: 'May be edited',
      },
      timeout_ms: { type: 'integer', 'x-widget': 'duration', default: 86400000, title: 'Deadline' },
      rejection_node_id: maybe(pick('node', 'On rejection go to')),
      policy: {
        type: 'object',
        title: 'Who decides',
        properties: {
          eligible: { type: 'array', items: { type: 'string' }, title: 'Eligible' },
          rule: { enum: ['any', 'all', 'per_group'], default: 'any', title: 'Rule' },
          four_eyes: {
            type: 'array',
            items: { enum: ['starter', 'publisher', 'editor'] },
            title: 'May not decide',
          },
          require_reason: {
            enum: ['never', 'reject', 'always'],
            default: 'never',
            title: 'Reason',
          },
        },
      },
    },
    [],
    { prompt_message: 'Please review and approve this workflow step.', review_keys: ['*'] },
  ),
  make(
    {
      type: 'question',
      label: 'Question',
      icon: 'message-question',
      category: 'People',
      help: 'Asks a person and waits for the answer.',
    },
    {
      kind: { enum: ['text', 'choice', 'multi-choice', 'form'], default: 'text', title: 'Answer' },
      question: prompt('Question'),
      options: {
        type: 'array',
        title: 'Options',
        items: {
          type: 'object',
          properties: { id: text('Id'), label: text('Label') },
          required: ['id', 'label'],
        },
      },
    },
    ['question'],
    { kind: 'text', question: '' },
  ),
  make(
    {
      type: 'verifier',
      label: 'Verifier',
      icon: 'shield-check',
      category: 'Quality',
      help: 'Checks a value by a judge, an expression or a path, and lets the edges decide.',
      effect_class: 'llm',
      handles: [
        { id: 'pass', label: 'Pass', kind: 'completed' },
        { id: 'fail', label: 'Fail', kind: 'completed' },
      ],
    },
    {
      check: {
        title: 'Check',
        oneOf: [
          {
            type: 'object',
            properties: {
              type: { const: 'expression' },
              expression: { type: 'string', 'x-widget': 'expression', title: 'Expression' },
            },
            required: ['type', 'expression'],
          },
          {
            type: 'object',
            properties: {
              type: { const: 'llm_judge' },
              target_key: pick('key', 'Value'),
              evaluator_agent_id: pick('agent', 'Judge'),
              pass_threshold: { type: 'number', default: 0.8, title: 'Passes at' },
            },
            required: ['type', 'target_key', 'evaluator_agent_id'],
          },
        ],
      },
      throw_on_fail: {
        type: 'boolean',
        default: false,
        title: 'Fail the node when it does not pass',
      },
    },
    ['check'],
    { check: { type: 'expression', expression: '' } },
  ),
  make(
    {
      type: 'reflection',
      label: 'Reflection',
      icon: 'bulb',
      category: 'Quality',
      help: 'Writes what was learned into long-term memory.',
      effect_class: 'keyed',
    },
    {
      source_keys: { type: 'array', items: { type: 'string' }, 'x-widget': 'keys', title: 'From' },
      tags: { type: 'array', items: { type: 'string' }, title: 'Tags' },
    },
    ['source_keys'],
  ),
  make(
    {
      type: 'evolution',
      label: 'Evolution',
      icon: 'dna-2',
      category: 'Quality',
      help: 'Breeds better answers over generations.',
      effect_class: 'llm',
    },
    {
      candidate_agent_id: pick('agent', 'Candidate'),
      population_size: { type: 'integer', default: 5, title: 'Population' },
      max_generations: { type: 'integer', default: 10, title: 'Generations' },
    },
    ['candidate_agent_id'],
  ),
];
