import type { NodeTypeInfo } from '../../api/types/types.ts';
import { END, type Records } from '../document/document.ts';
import { fieldsOf } from '../fields/fields.ts';
import { portsOf } from '../schema/ports.ts';
import { outgoing } from '../document/document.ts';
import { guardOf } from '../wiring/told.ts';
import type { Goal, OutlineRow } from './outline.ts';

/** What a row says: its number and name, what it is, and what else there is to know, piece by piece. */
export interface RowWords {
  number: string;
  title: string;
  kind: string;
  rest: readonly string[];
}

type Types = ReadonlyMap<string, NodeTypeInfo>;

const MOST = 4;
const listed = (names: readonly string[]) =>
  names.length > MOST
    ? `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more`
    : names.join(', ');

/** Where a way leads, by the numbers of the outline. */
function goalWords(goal: Goal | undefined, numbers: ReadonlyMap<string, number>): string {
  if (!goal) return '';
  if (goal.id === END) return 'ends';
  return `${goal.back ? 'back to' : 'goes to'} ${numbers.get(goal.id) ?? 'a node that is gone'}`;
}

/** The numbers of nodes in an outline. */
export const numbersOf = (rows: readonly OutlineRow[]): Map<string, number> =>
  new Map(rows.flatMap(({ id, number }) => (number === undefined ? [] : [[id, number] as const])));

function nodeWords(
  row: OutlineRow,
  records: Records,
  types: Types,
  numbers: ReadonlyMap<string, number>,
): RowWords {
  const node = records.nodes.get(row.id);
  const kind = (node && types.get(node.type)?.label) ?? node?.type ?? '';
  const gives = (node?.write_keys ?? []).filter((key) => key !== '*');
  const ways = row.ways ?? 0;
  const about = [
    row.run ? 'run by the node above' : '',
    node?.branching === 'all' ? 'takes all that fit' : '',
    gives.length > 0 ? `gives ${listed(gives)}` : '',
    node?.disabled ? 'disabled' : '',
  ].filter(Boolean);
  const on =
    ways > 1 ? `${ways} ways` : ways === 0 && !row.run ? 'ends' : goalWords(row.goal, numbers);
  return {
    number: String(row.number ?? ''),
    title: node?.label || row.id,
    kind: kind.toLowerCase(),
    rest: [about.join(', '), on].filter(Boolean),
  };
}

const BARE: RowWords = { number: '', title: '', kind: '', rest: [] };

/** What a row says, for eyes and ears alike. */
export function wordsOfRow(
  row: OutlineRow,
  records: Records,
  types: Types,
  numbers: ReadonlyMap<string, number>,
): RowWords {
  if (row.kind === 'loose') return { ...BARE, title: 'Not wired yet' };
  if (row.kind === 'note') {
    const note = records.notes.get(row.id);
    const kind = note?.kind === 'frame' ? 'frame' : 'note';
    return { ...BARE, title: note?.text.split('\n')[0]?.slice(0, 80) || 'Empty', kind };
  }
  if (row.kind === 'start') {
    const names = fieldsOf(records.settings.interface?.inputs).map(({ name }) => name);
    const ways = (row.ways ?? 0) > 1 ? `${row.ways} ways at once` : goalWords(row.goal, numbers);
    const fields = names.length > 0 ? `asks for ${listed(names)}` : 'asks for any input';
    return { ...BARE, title: 'Start', rest: [fields, ways].filter(Boolean) };
  }
  if (row.kind === 'node') return nodeWords(row, records, types, numbers);
  const edge = records.edges.get(row.id);
  if (!edge) return BARE;
  const source = records.nodes.get(edge.source);
  const ports = portsOf(source && types.get(source.type), outgoing(records, edge.source));
  const goal = goalWords(row.goal, numbers);
  return { ...BARE, title: guardOf(edge, ports) || 'Then', rest: goal ? [goal] : [] };
}
