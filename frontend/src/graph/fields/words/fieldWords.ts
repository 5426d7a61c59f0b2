import type { NodeTypeInfo } from '../../../api/types/types.ts';

/** What the inspector calls fields of a node that stand beside its own settings. */
const OWN: Readonly<Record<string, string>> = {
  read_keys: 'Can read',
  write_keys: 'Can write',
  human_description: 'Notes',
  failure_policy: 'Reliability',
};

const plain = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A field of a thing by the words of the screen: the title of a setting of the node's type, then what lies in it. */
export function fieldWords(path: string, type: NodeTypeInfo | undefined): string {
  const [first = '', ...rest] = path.split('.');
  if (first !== 'config' || rest.length === 0)
    return [OWN[first] ?? plain(first), ...rest.map(plain)].join(' · ');
  const [name = '', ...inside] = rest;
  const title = type?.config_schema.properties?.[name]?.title;
  return [title || plain(name), ...inside.map(plain)].join(' · ');
}
