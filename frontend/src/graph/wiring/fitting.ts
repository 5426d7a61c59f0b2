import type { NodeTypeInfo } from '../../api/types/types.ts';
import { type Records, START } from '../document/document.ts';
import { MAIN } from '../schema/ports.ts';

type Types = ReadonlyMap<string, NodeTypeInfo>;

/** Where a new node would stand: the way out that leads to it, and the node that it leads to. */
export interface Gap {
  from: { node: string; port: string } | null;
  to: string | null;
}

/** What is known of the drawing around a gap. `unguarded` are the dangerous steps that nobody has to allow. */
export interface Around {
  records: Records;
  types: Types;
  unguarded: ReadonlySet<string>;
}

/** How well a type fits: it is what is mostly put there, it may stand there, it has nothing to do there. */
export type Fit = 'best' | 'fits' | 'idle';

const reads = ({ defaults }: NodeTypeInfo) => defaults.read_keys;

/** It begins with what the node before gave, and with nothing else. */
const needsBefore = (type: NodeTypeInfo) =>
  reads(type).length === 1 && reads(type)[0] === 'previous';

/** It says what a run gives: it makes no choice, and leaves no field to a next one. */
const isEnding = (type: NodeTypeInfo) =>
  type.effect_class === 'pure' &&
  !type.writes_data &&
  type.result_keys.length === 0 &&
  !type.handles.some(({ kind }) => kind === 'dynamic');

/** It makes one answer of many: a model is asked about nothing but what came before. */
const gathers = (type: NodeTypeInfo) => type.prompts && needsBefore(type);

/** Somebody may say no in it. */
const isGate = (type: NodeTypeInfo) => type.handles.some(({ kind }) => kind === 'rejected');

/** Its result is many answers: it has a step done with each item. */
const isMany = (type: NodeTypeInfo | undefined) =>
  Object.values(type?.config_schema.properties ?? {}).some((schema) => schema['x-gives']);

/** What it is drawn for is fields: of what others gave it shows or asks some. */
const isAboutFields = (type: NodeTypeInfo | undefined) =>
  type !== undefined && (isGate(type) || type.handles.some(({ kind }) => kind === 'dynamic'));

function afterWay(type: NodeTypeInfo, from: NonNullable<Gap['from']>, around: Around): Fit {
  // the start gives no answer, only input; nor does what went wrong
  const nothingGiven = from.node === START || from.port === 'failed' || from.port === 'timed_out';
  if (nothingGiven && needsBefore(type) && !isEnding(type)) return 'idle';
  if (nothingGiven) return type.asks_people && from.node !== START ? 'best' : 'fits';
  const source = around.types.get(around.records.nodes.get(from.node)?.type ?? '');
  return from.port === MAIN && isMany(source) && gathers(type) ? 'best' : 'fits';
}

function beforeNode(type: NodeTypeInfo, to: string, around: Around): Fit {
  if (isEnding(type)) return 'idle';
  if (around.unguarded.has(to)) return isGate(type) ? 'best' : 'fits';
  const target = around.types.get(around.records.nodes.get(to)?.type ?? '');
  return isAboutFields(target) && type.writes_data ? 'best' : 'fits';
}

/** How well a node of a type would stand in a gap. */
export function fitOf(type: NodeTypeInfo, gap: Gap, around: Around): Fit {
  const fits = [
    ...(gap.from ? [afterWay(type, gap.from, around)] : []),
    // the end takes everything
    ...(gap.to && around.records.nodes.has(gap.to) ? [beforeNode(type, gap.to, around)] : []),
  ];
  if (fits.includes('idle')) return 'idle';
  return fits.includes('best') ? 'best' : 'fits';
}

/** The types that fit a gap, what is mostly put there first; the others as they stand. */
export function fitting(types: readonly NodeTypeInfo[], gap: Gap, around: Around): NodeTypeInfo[] {
  const fits = types.map((type) => ({ type, fit: fitOf(type, gap, around) }));
  const rest = fits.filter(({ fit }) => fit === 'fits');
  return [...fits.filter(({ fit }) => fit === 'best'), ...rest].map(({ type }) => type);
}
