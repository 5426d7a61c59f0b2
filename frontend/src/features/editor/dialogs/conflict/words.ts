import type { Onlooker } from '../../../../canvas/cards/context.ts';
import { END, type Records, START } from '../../../../graph/document/document.ts';
import { isRecord } from '../../../../graph/document/equal.ts';
import type { Dispute } from '../../../../graph/document/patch.ts';
import { humanise } from '../../../../inspector/form/field.ts';

const labelOf = (side: unknown) => {
  if (!isRecord(side)) return '';
  const { label, id } = side;
  return (typeof label === 'string' && label) || (typeof id === 'string' ? id : '');
};

const nodeName = (records: Records, id: unknown): string => {
  if (id === START) return 'Start';
  if (id === END) return 'End';
  return labelOf(records.nodes.get(String(id))) || String(id);
};

/** What people call the thing that both changed. */
export function titleOf({ kind, id, mine, theirs }: Dispute, records: Records): string {
  if (kind === 'setting') return humanise(id);
  if (kind === 'note') return 'A note';
  const side = isRecord(mine) ? mine : theirs;
  if (kind === 'node') return labelOf(mine) || labelOf(theirs) || id;
  if (!isRecord(side)) return 'A wire';
  return `Wire from ${nodeName(records, side.source)} to ${nodeName(records, side.target)}`;
}

/** The field that both changed, as it is called in a sentence. */
export const fieldName = (path: string): string =>
  path ? humanise(path.split('.').at(-1) ?? path) : 'All of it';

/** Who changed the same as this person, as far as it can be told from who is here. */
export function whoOf(
  disputes: readonly Dispute[],
  onlookers: ReadonlyMap<string, readonly Onlooker[]>,
  here: readonly string[],
): string {
  const there = disputes.flatMap(({ id }) => onlookers.get(id)?.map(({ name }) => name) ?? []);
  const names = [...new Set(there.length > 0 ? there : here)];
  return names.length === 1 && names[0] ? names[0] : 'Somebody else';
}

/** What happened, in one sentence. */
export function toldOf(disputes: readonly Dispute[], who: string, records: Records): string {
  const [only, ...more] = disputes;
  if (!only) return '';
  if (more.length > 0) return `${who} changed ${disputes.length} things that you changed too.`;
  const title = titleOf(only, records);
  if (only.theirs === null) return `${who} deleted “${title}”, which you changed.`;
  if (only.mine === null) return `${who} changed “${title}”, which you deleted.`;
  const field = fieldName(only.fields[0] ?? '').toLowerCase();
  const what = only.kind === 'setting' || only.fields.length > 1 ? '' : `${field} of `;
  return `${who} changed the ${what}“${title}” too.`.replace('the “', '“');
}

/** A field of one side in words. */
export function sideText(value: unknown, path: string): string {
  let current = value;
  for (const part of path.split('.').filter(Boolean)) {
    const list: unknown[] = Array.isArray(current) ? current : [];
    const thing = list.find((each) => isRecord(each) && each.id === part);
    current = isRecord(current) ? current[part] : thing;
  }
  if (current === undefined || current === null) return path ? 'not set' : 'Deleted';
  if (!path) return 'As it stands, with its wires';
  return typeof current === 'string' ? current : JSON.stringify(current);
}
