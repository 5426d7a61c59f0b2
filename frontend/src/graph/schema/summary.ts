import type { Json, NodeDoc, NodeTypeInfo } from '../../api/types/types.ts';
import { shortDuration } from '../../ui/format/duration/durations.ts';
import { resolve, widgetsIn } from './schema.ts';

/** Widgets that say best what a node does, best first. */
const telling = [
  'agent',
  'tool',
  'handler',
  'graph',
  'expression',
  'jsonpath',
  'nodes',
  'node',
  'prompt',
  'keys',
  'key',
  'duration',
];

/** A text as a card shows it: what is put in stands as its last name, not as a template. */
const shown = (text: string): string =>
  text
    .replace(/\{\{([^{}]{1,200})\}\}/g, (_, inside: string) => {
      const last = inside.trim().split('.').at(-1) ?? '';
      return `‹${/^\w+$/.test(last) ? last : '…'}›`;
    })
    .replace(/\s+/g, ' ');

/** Names of things by id, for showing instead of the id. */
export type Names = (widget: string, id: string) => string | undefined;

/** One line that says what a node does, from the fields of its config that name something; empty when nothing is set. */
export function summaryOf(
  type: NodeTypeInfo | undefined,
  node: NodeDoc,
  names: Names = () => undefined,
): string {
  if (!type) return node.type;
  const found = widgetsIn(type.config_schema, node.config ?? {});
  const valuesOf = (widget: string): Json[] =>
    found
      .filter((entry) => entry.widget === widget)
      .flatMap((entry) => (Array.isArray(entry.value) ? entry.value : [entry.value]));
  // an agent without a name of its own says less than what it is asked
  const agents = valuesOf('agent');
  const nameless =
    agents.length > 0 && agents.every((id) => names('agent', String(id)) === undefined);
  const asks = nameless || node.type === 'approval'; // whom it asks what, before what marks it as risky
  for (const widget of asks ? ['prompt', ...telling] : telling) {
    const words = valuesOf(widget)
      .map((value) => wordsOf(widget, value, names))
      .filter((word) => word !== '');
    if (words.length > 0) return [...new Set(words)].join(', ');
  }
  return plainText(type, node);
}

function wordsOf(widget: string, value: Json, names: Names): string {
  if (widget === 'duration' && typeof value === 'number') return shortDuration(value);
  if (typeof value !== 'string') return '';
  return names(widget, value) ?? shown(value).trim();
}

/** The first required text or choice of the config. */
function plainText(type: NodeTypeInfo, node: NodeDoc): string {
  const { properties = {} } = type.config_schema;
  for (const [name, property] of Object.entries(properties)) {
    const value = node.config?.[name];
    const kind = resolve(property, type.config_schema).type;
    if (typeof value === 'string' && value && kind === 'string') return shown(value);
  }
  return '';
}
