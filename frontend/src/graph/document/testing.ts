import type { JsonSchema, NodeTypeInfo } from '../../api/types/types.ts';
import { type Records, toRecords } from './document.ts';

/** A node type for tests, with the given config schema and handles. */
export function nodeType(
  type: string,
  properties: Record<string, JsonSchema> = {},
  handles: NodeTypeInfo['handles'] = [],
): NodeTypeInfo {
  return {
    type,
    label: type,
    icon: 'robot',
    category: 'Test',
    words: [],
    help: '',
    effect_class: 'pure',
    config_schema: { type: 'object', properties },
    defaults: { read_keys: ['input'], write_keys: [], config: {} },
    handles,
    result_keys: ['<id>_result'],
    prompts: false,
    writes_data: true,
    asks_people: false,
    views: [],
  };
}

/** A graph of bare nodes with edges written as `a>b`. */
export function graph(...edges: string[]): Records {
  const pairs = edges.map((text) => text.split('>') as [string, string]);
  const ids = [...new Set(pairs.flat())].filter((id) => !id.startsWith('__'));
  return toRecords({
    graphwright: 1,
    id: 'g',
    nodes: ids.map((id, index) => ({
      id,
      type: 'step',
      label: id,
      position: { x: index * 300, y: 0 },
    })),
    edges: pairs.map(([source, target]) => ({ id: `${source}>${target}`, source, target })),
  });
}
