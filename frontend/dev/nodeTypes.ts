import type { HandleInfo, JsonObject, JsonSchema, NodeTypeInfo } from '../src/api/types/types.ts';

const text = (title: string, extra: JsonSchema = {}): JsonSchema => ({ type: 'string', title, ...extra });
const pick = (widget: string, title: string): JsonSchema => ({ type: 'string', title, 'x-widget': widget });
const maybe = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }], default: null });
const done: HandleInfo = { id: 'completed', label: 'Completed', kind: 'completed' };

interface Draft extends Partial<NodeTypeInfo> { type: string; label: string; icon: string; category: string; help: string }

function make(draft: Draft, properties: Record<string, JsonSchema>, required: string[] = [], config: JsonObject = {}): NodeTypeInfo {
  return {
    effect_class: 'pure', handles: [done], result_keys: [`<id>_result`], prompts: false, views: [],
    config_schema: { type: 'object', properties, required, additionalProperties: false },
    defaults: { read_keys: ['input'], write_keys: [], config },
    ...draft,
  };
}

const prompt = (title = 'Prompt'): JsonSchema => ({ type: 'string', title, 'x-widget': 'prompt', default: '' });
const compensation = maybe({ type: 'object', title: 'Undo with', properties: { tool_id: pick('tool', 'Tool'), arguments: { type: 'object', title: 'Arguments', additionalProperties: prompt() } }, required: ['tool_id'] });

/** Node types as a server would describe them. */
export const nodeTypes: NodeTypeInfo[] = [
  make({ type: 'agent', label: 'Agent', icon: 'robot', category: 'Agents', help: 'Hands an open task to a model, with tools when it needs them. Routing stays with the graph.', effect_class: 'llm' }, {
    agent_id: pick('agent', 'Agent'), prompt: prompt(), tools: maybe({ type: 'array', items: { type: 'string' }, title: 'Tools', 'x-widget': 'tools', description: 'Nothing: the default set of the agent. +name adds, -name removes.' }),
    result_schema: maybe({ type: 'object', title: 'Result schema', 'x-widget': 'json' }), model: maybe(pick('model', 'Model')), interrupt: maybe({ enum: ['required', 'optional'], title: 'May ask a person' }),
    frame: { enum: ['standard', 'bare'], default: 'standard', title: 'Frame', description: 'Standard: the built-in instruction around your prompt. Bare: your prompt alone.' }, history: { type: 'integer', minimum: 0, default: 0, title: 'Chat messages before the prompt' },
    repair_turns: { type: 'integer', minimum: 0, default: 1, title: 'Repair turns', 'x-group': 'Reliability' },
    annealing: maybe({ type: 'object', title: 'Annealing', properties: { evaluator_agent_id: maybe(pick('agent', 'Evaluator')), threshold: { type: 'number', default: 0.8, title: 'Good enough at' }, max_iterations: { type: 'integer', default: 5, title: 'Most passes' } } }),
    swarm: maybe({ type: 'object', title: 'Swarm', properties: { peer_nodes: { type: 'array', items: { type: 'string' }, 'x-widget': 'nodes', title: 'Peers' }, max_handoffs: { type: 'integer', default: 10, title: 'Most hand-offs' } }, required: ['peer_nodes'] }),
  }, ['agent_id'], { agent_id: 'assistant', prompt: '' }),
  make({ type: 'supervisor', label: 'Supervisor', icon: 'crown', category: 'Agents', help: 'An agent that picks which of its nodes works next, until the work is done.', effect_class: 'llm' }, { agent_id: pick('agent', 'Agent'), managed_nodes: { type: 'array', items: { type: 'string' }, 'x-widget': 'nodes', title: 'Managed nodes' }, max_iterations: { type: 'integer', default: 10, title: 'Most rounds' }, completion_condition: maybe({ type: 'string', 'x-widget': 'expression', title: 'Done when' }) }, ['agent_id', 'managed_nodes']),
  make({ type: 'voting', label: 'Voting', icon: 'checkbox', category: 'Agents', help: 'Several agents answer the same question and their votes decide.', effect_class: 'llm' }, { voter_agent_ids: { type: 'array', items: { type: 'string' }, 'x-widget': 'agents', title: 'Voters' }, prompt: prompt(), strategy: { enum: ['majority_vote', 'weighted', 'llm_judge'], default: 'majority_vote', title: 'Strategy' }, quorum: maybe({ type: 'integer', title: 'Quorum' }) }, ['voter_agent_ids']),
  make({ type: 'tool', label: 'Tool', icon: 'tool', category: 'Actions', help: 'Calls one tool with arguments that you write.', effect_class: 'unsafe', handles: [done, { id: 'failed', label: 'Failed', kind: 'failed' }] }, { tool_id: pick('tool', 'Tool'), arguments: { type: 'object', title: 'Arguments', additionalProperties: prompt() }, compensation }, ['tool_id']),
  make({ type: 'http_request', label: 'HTTP request', icon: 'world', category: 'Actions', help: 'Sends one HTTP request through the guarded way out.', effect_class: 'unsafe' }, { method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'GET', title: 'Method' }, url: prompt('Address'), headers: { type: 'object', title: 'Headers', additionalProperties: { type: 'string' } }, body: maybe(prompt('Body')), credential: maybe(pick('credential', 'Credential')) }, ['url'], { method: 'GET', url: '' }),
  make({ type: 'function', label: 'Function', icon: 'function', category: 'Actions', help: 'Runs a registered Python function.', effect_class: 'read' }, { handler: pick('handler', 'Handler'), params: { type: 'object', title: 'Parameters', 'x-widget': 'json', default: {} } }, ['handler']),
  make({ type: 'output', label: 'Output', icon: 'file-export', category: 'Actions', help: 'Computes the result of the run.' }, { value: { type: 'string', title: 'Value', 'x-widget': 'expression', default: 'previous' } }),
  make({ type: 'router', label: 'Router', icon: 'route', category: 'Flow', help: 'Chooses the way on by an expression, or by the conditions on its edges.', handles: [{ id: 'branch', label: 'Else', kind: 'dynamic' }] }, { expression: maybe({ type: 'string', title: 'Expression', 'x-widget': 'expression', description: 'Its text names a branch.' }) }),
  make({ type: 'map', label: 'Map', icon: 'layers-linked', category: 'Flow', help: 'Runs a worker node once for each item of a list.' }, { worker_node_id: pick('node', 'Worker'), items_path: maybe({ type: 'string', 'x-widget': 'jsonpath', title: 'Items' }), error_strategy: { enum: ['best_effort', 'fail_fast'], default: 'best_effort', title: 'When an item fails' }, max_concurrency: { type: 'integer', minimum: 1, default: 5, title: 'At once' }, max_items: { type: 'integer', default: 1000, title: 'Most items' } }, ['worker_node_id']),
  make({ type: 'synthesizer', label: 'Synthesizer', icon: 'git-merge', category: 'Flow', help: 'Joins the results of branches or items into one.', effect_class: 'llm' }, { agent_id: maybe(pick('agent', 'Agent')), prompt: maybe(prompt()) }),
  make({ type: 'subgraph', label: 'Subgraph', icon: 'box-multiple', category: 'Flow', help: 'Runs another graph with its own memory.' }, { subgraph_id: pick('graph', 'Graph'), input_mapping: { type: 'object', title: 'Input', additionalProperties: { type: 'string' } }, output_mapping: { type: 'object', title: 'Output', additionalProperties: { type: 'string' } } }, ['subgraph_id']),
  make({ type: 'delay', label: 'Delay', icon: 'clock-pause', category: 'Flow', help: 'Waits for a while, across restarts.' }, { duration_ms: { type: 'integer', 'x-widget': 'duration', title: 'Wait' } }, ['duration_ms'], { duration_ms: 60000 }),
  make({ type: 'approval', label: 'Approval', icon: 'user-check', category: 'People', help: 'Stops until a person decides. Shows exactly what will happen.', handles: [{ id: 'completed', label: 'Approved', kind: 'completed' }, { id: 'rejected', label: 'Rejected', kind: 'rejected' }, { id: 'timed_out', label: 'Timed out', kind: 'timed_out' }] }, {
    prompt_message: prompt('Question'), review_keys: { type: 'array', items: { type: 'string' }, default: ['*'], 'x-widget': 'keys', title: 'Shows' }, editable_keys: { type: 'array', items: { type: 'string' }, default: [], 'x-widget': 'keys', title: 'May be edited' },
    timeout_ms: { type: 'integer', 'x-widget': 'duration', default: 86400000, title: 'Deadline' }, rejection_node_id: maybe(pick('node', 'On rejection go to')),
    policy: { type: 'object', title: 'Who decides', properties: { eligible: { type: 'array', items: { type: 'string' }, title: 'Eligible' }, rule: { enum: ['any', 'all', 'per_group'], default: 'any', title: 'Rule' }, four_eyes: { type: 'array', items: { enum: ['starter', 'publisher', 'editor'] }, title: 'May not decide' }, require_reason: { enum: ['never', 'reject', 'always'], default: 'never', title: 'Reason' } } },
  }, [], { prompt_message: 'Please review and approve this workflow step.', review_keys: ['*'] }),
  make({ type: 'question', label: 'Question', icon: 'message-question', category: 'People', help: 'Asks a person and waits for the answer.' }, { kind: { enum: ['text', 'choice', 'multi-choice', 'form'], default: 'text', title: 'Answer' }, question: prompt('Question'), options: { type: 'array', title: 'Options', items: { type: 'object', properties: { id: text('Id'), label: text('Label') }, required: ['id', 'label'] } } }, ['question'], { kind: 'text', question: '' }),
  make({ type: 'verifier', label: 'Verifier', icon: 'shield-check', category: 'Quality', help: 'Checks a value by a judge, an expression or a path, and lets the edges decide.', effect_class: 'llm', handles: [{ id: 'pass', label: 'Pass', kind: 'completed' }, { id: 'fail', label: 'Fail', kind: 'completed' }] }, {
    check: { title: 'Check', oneOf: [
      { type: 'object', properties: { type: { const: 'expression' }, expression: { type: 'string', 'x-widget': 'expression', title: 'Expression' } }, required: ['type', 'expression'] },
      { type: 'object', properties: { type: { const: 'llm_judge' }, target_key: pick('key', 'Value'), evaluator_agent_id: pick('agent', 'Judge'), pass_threshold: { type: 'number', default: 0.8, title: 'Passes at' } }, required: ['type', 'target_key', 'evaluator_agent_id'] },
    ] },
    throw_on_fail: { type: 'boolean', default: false, title: 'Fail the node when it does not pass' },
  }, ['check'], { check: { type: 'expression', expression: '' } }),
  make({ type: 'reflection', label: 'Reflection', icon: 'bulb', category: 'Quality', help: 'Writes what was learned into long-term memory.', effect_class: 'keyed' }, { source_keys: { type: 'array', items: { type: 'string' }, 'x-widget': 'keys', title: 'From' }, tags: { type: 'array', items: { type: 'string' }, title: 'Tags' } }, ['source_keys']),
  make({ type: 'evolution', label: 'Evolution', icon: 'dna-2', category: 'Quality', help: 'Breeds better answers over generations.', effect_class: 'llm' }, { candidate_agent_id: pick('agent', 'Candidate'), population_size: { type: 'integer', default: 5, title: 'Population' }, max_generations: { type: 'integer', default: 10, title: 'Generations' } }, ['candidate_agent_id']),
];
