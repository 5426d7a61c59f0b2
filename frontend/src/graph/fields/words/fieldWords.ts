import type { NodeTypeInfo } from '../../../api/types/types.ts';

/** What the inspector calls fields of a node that stand beside its own settings. */
const OWN: Readonly<Record<string, string>> = {
  read_keys: 'Can read',
  write_keys: 'Can write',
  human_description: 'Notes',
  failure_policy: 'Reliability',
};

/** What the sentence of a policy, and what it offers, calls the parts of one. */
const POLICY: Readonly<Record<string, string>> = {
  eligible: 'Who may decide',
  rule: 'How many',
  four_eyes: 'Not their own work',
  veto: 'A no',
  require_reason: 'Reason',
  reminders: 'Remind',
  escalation: 'Ask others later',
  confirm: 'A second look',
};

/** What the inspector calls the settings of a workflow. */
const SETTINGS: Readonly<Record<string, string>> = {
  state_schema: 'Fields',
  initial_memory: 'First values of fields',
  defaults: 'What nodes get by default',
  interface: 'Start fields',
};

/** How a setting of a workflow is called on the screen. */
export const settingWords = (name: string): string => SETTINGS[name] ?? plain(name);

/** A path into a table of fields as the table shows it: the table, then the field and what of it. */
function inTable(path: string): string | null {
  const found = /^(interface\.inputs|interface\.outputs|state_schema)(?:\.(.+))?$/.exec(path);
  if (!found) return null;
  const [, table = '', rest = ''] = found;
  const name = { 'interface.inputs': 'Start fields', 'interface.outputs': 'Result fields' }[table];
  const field = /^properties\.([^.]+)(?:\.(.+))?$/.exec(rest);
  const parts = field ? [field[1] ?? '', ...(field[2] ? field[2].split('.').map(plain) : [])] : [];
  const other = rest === 'additionalProperties' ? 'Other fields are accepted' : plain(rest);
  return [name ?? 'Fields', ...(field ? parts : rest ? [other] : [])].join(' · ');
}

/** A name of a field without its underscores and unit, as a word: what it holds is said with its unit. */
export const plain = (name: string): string => {
  const words = name.replace(/_(ms|usd)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A field of a thing by the words of the screen: the title of a setting of the node's type, then what lies in it. */
export function fieldWords(path: string, type: NodeTypeInfo | undefined): string {
  const table = inTable(path);
  if (table !== null) return table;
  const [first = '', ...rest] = path.split('.');
  if (first !== 'config' || rest.length === 0)
    return [OWN[first] ?? settingWords(first), ...rest.map(plain)].join(' · ');
  const [name = '', ...inside] = rest;
  const words = (part: string) => (name === 'policy' ? POLICY[part] : undefined) ?? plain(part);
  const title = type?.config_schema.properties?.[name]?.title;
  return [title || plain(name), ...inside.map(words)].join(' · ');
}
