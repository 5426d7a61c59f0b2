import type {
  HandleInfo,
  JsonObject,
  JsonSchema,
  NodeTypeInfo,
} from '../../src/api/types/types.ts';

export const text = (title: string, extra: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  title,
  ...extra,
});
export const pick = (widget: string, title: string): JsonSchema => ({
  type: 'string',
  title,
  'x-widget': widget,
});
export const maybe = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  default: null,
});
export const done: HandleInfo = { id: 'completed', label: 'Completed', kind: 'completed' };

interface Draft extends Partial<NodeTypeInfo> {
  type: string;
  label: string;
  icon: string;
  category: string;
  help: string;
}

export function make(
  draft: Draft,
  properties: Record<string, JsonSchema>,
  required: string[] = [],
  config: JsonObject = {},
): NodeTypeInfo {
  return {
    words: [],
    effect_class: 'pure',
    handles: [done],
    result_keys: [`<id>_result`],
    prompts: false,
    writes_data: true,
    asks_people: draft.type === 'approval' || draft.type === 'question',
    views: [],
    config_schema: { type: 'object', properties, required, additionalProperties: false },
    defaults: { read_keys: ['input'], write_keys: [], config },
    ...draft,
  };
}

export const prompt = (title = 'Prompt'): JsonSchema => ({
  type: 'string',
  title,
  'x-widget': 'prompt',
  default: '',
});
export const compensation = maybe({
  type: 'object',
  title: 'Undo with',
  properties: {
    tool_id: pick('tool', 'Tool'),
    arguments: { type: 'object', title: 'Arguments', additionalProperties: prompt() },
  },
  required: ['tool_id'],
});
