import type { NodeTypeInfo } from '../../src/api/types/types.ts';
import { compensation, done, make, maybe, pick, prompt } from './make.ts';

/** Node types that do something. */
export const working: NodeTypeInfo[] = [
  make(
    {
      type: 'agent',
      label: 'Agent',
      icon: 'robot',
      category: 'Agents',
      help: 'Hands an open task to a model, with tools when it needs them. Routing stays with the graph.',
      effect_class: 'llm',
    },
    {
      agent_id: pick('agent', 'Agent'),
      prompt: prompt(),
      tools: maybe({
        type: 'array',
        items: { type: 'string' },
        title: 'Tools',
        'x-widget': 'tools',
        description: 'Nothing: the default set of the agent. +name adds, -name removes.',
      }),
      result_schema: maybe({ type: 'object', title: 'Result schema', 'x-widget': 'json' }),
      model: maybe(pick('model', 'Model')),
      interrupt: maybe({ enum: ['required', 'optional'], title: 'May ask a person' }),
      frame: {
        enum: ['standard', 'bare'],
        default: 'standard',
        title: 'Frame',
        description:
          'Standard: the built-in instruction around your prompt. Bare: your prompt alone.',
      },
      history: {
        type: 'integer',
        minimum: 0,
        default: 0,
        title: 'Chat messages before the prompt',
      },
      repair_turns: {
        type: 'integer',
        minimum: 0,
        default: 1,
        title: 'Repair turns',
        'x-group': 'Reliability',
      },
      annealing: maybe({
        type: 'object',
        title: 'Annealing',
        properties: {
          evaluator_agent_id: maybe(pick('agent', 'Evaluator')),
          threshold: { type: 'number', default: 0.8, title: 'Good enough at' },
          max_iterations: { type: 'integer', default: 5, title: 'Most passes' },
        },
      }),
      swarm: maybe({
        type: 'object',
        title: 'Swarm',
        properties: {
          peer_nodes: {
            type: 'array',
            items: { type: 'string' },
            'x-widget': 'nodes',
            title: 'Peers',
          },
          max_handoffs: { type: 'integer', default: 10, title: 'Most hand-offs' },
        },
        required: ['peer_nodes'],
      }),
    },
    ['agent_id'],
    { agent_id: 'assistant', prompt: '' },
  ),
  make(
    {
      type: 'supervisor',
      label: 'Supervisor',
      icon: 'crown',
      category: 'Agents',
      help: 'An agent that picks which of its nodes works next, until the work is done.',
      effect_class: 'llm',
    },
    {
      agent_id: pick('agent', 'Agent'),
      managed_nodes: {
        type: 'array',
        items: { type: 'string' },
        'x-widget': 'nodes',
        title: 'Managed nodes',
      },
      max_iterations: { type: 'integer', default: 10, title: 'Most rounds' },
      completion_condition: maybe({ type: 'string', 'x-widget': 'expression', title: 'Done when' }),
    },
    ['agent_id', 'managed_nodes'],
  ),
  make(
    {
      type: 'voting',
      label: 'Voting',
      icon: 'checkbox',
      category: 'Agents',
      help: 'Several agents answer the same question and their votes decide.',
      effect_class: 'llm',
    },
    {
      voter_agent_ids: {
        type: 'array',
        items: { type: 'string' },
        'x-widget': 'agents',
        title: 'Voters',
      },
      prompt: prompt(),
      strategy: {
        enum: ['majority_vote', 'weighted', 'llm_judge'],
        default: 'majority_vote',
        title: 'Strategy',
      },
      quorum: maybe({ type: 'integer', title: 'Quorum' }),
    },
    ['voter_agent_ids'],
  ),
  make(
    {
      type: 'tool',
      label: 'Tool',
      icon: 'tool',
      category: 'Actions',
      help: 'Calls one tool with arguments that you write.',
      effect_class: 'unsafe',
      handles: [done, { id: 'failed', label: 'Failed', kind: 'failed' }],
    },
    {
      tool_id: pick('tool', 'Tool'),
      arguments: { type: 'object', title: 'Arguments', additionalProperties: prompt() },
      compensation,
    },
    ['tool_id'],
  ),
  make(
    {
      type: 'http_request',
      label: 'HTTP request',
      icon: 'world',
      category: 'Actions',
      help: 'Sends one HTTP request through the guarded way out.',
      effect_class: 'unsafe',
    },
    {
      method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'GET', title: 'Method' },
      url: prompt('Address'),
      headers: { type: 'object', title: 'Headers', additionalProperties: { type: 'string' } },
      body: maybe(prompt('Body')),
      credential: maybe(pick('credential', 'Credential')),
    },
    ['url'],
    { method: 'GET', url: '' },
  ),
  make(
    {
      type: 'function',
      label: 'Function',
      icon: 'function',
      category: 'Actions',
      help: 'Runs a registered Python function.',
      effect_class: 'read',
    },
    {
      handler: pick('handler', 'Handler'),
      params: { type: 'object', title: 'Parameters', 'x-widget': 'json', default: {} },
    },
    ['handler'],
  ),
  make(
    {
      type: 'output',
      label: 'Output',
      icon: 'file-export',
      category: 'Actions',
      help: 'Computes the result of the run.',
    },
    { value: { type: 'string', title: 'Value', 'x-widget': 'expression', default: 'previous' } },
  ),
];
