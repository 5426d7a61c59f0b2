import type { ValuesOut } from '../../../api/types/schema.gen.ts';
import type { Json } from '../../../api/types/types.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { memberOf, type NameInfo } from '../../../graph/schema/names.ts';

/** A value that can be read here, with what the last run left there and whether it may be missing. */
export interface KnownValue extends NameInfo {
  /** What the last run left there. */
  last?: string;
  /** What it is in the input of the next test run, where that is something else. */
  next?: string;
  /** What it was, last or in that input. */
  kind?: string;
  /** How many items it had. */
  size?: number;
  maybe?: boolean;
}

const SHOWN = 120;

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return 'yes/no';
  if (typeof value === 'object') return 'group';
  return typeof value === 'number' ? 'number' : 'text';
}

/** A value of the input in one line. */
function ofInput(value: Json): { kind: string; next: string } {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    kind: kindOf(value),
    next: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text,
  };
}

const unknown = { next: undefined, kind: undefined };

type Told = ValuesOut['values'][number];

const ofRun = ({ text, kind, size }: Told): Partial<KnownValue> => ({
  last: text,
  kind,
  ...(size === null ? {} : { size }),
});

function inInput(name: string, input: Json | undefined): Json | undefined {
  if (name === 'input') return input;
  if (!isRecord(input)) return undefined;
  const key = Object.keys(input).find((each) => memberOf('input', each) === name);
  return key === undefined ? undefined : (input as Record<string, Json>)[key];
}

/** Names with what is known of their values: what the last run left, and of the input what the next test run gets. */
export function withKnown(
  names: readonly NameInfo[],
  told: ValuesOut | undefined,
  input: Json | undefined,
): KnownValue[] {
  const named = ([lane = '', key]: readonly string[]) =>
    key === undefined ? lane : memberOf(lane, key);
  const left = new Map(told?.values.map((value) => [named(value.path), value]));
  const unproven = new Set(told?.unproven.map(named));
  return names.map((info) => {
    const given = inInput(info.name, input);
    const value = left.get(info.name) ?? left.get(info.same ?? '');
    const { next, kind } = given === undefined ? unknown : ofInput(given);
    return {
      ...info,
      ...(kind === undefined ? {} : { kind }),
      ...(next === undefined || next === value?.text ? {} : { next }),
      ...(value === undefined ? {} : ofRun(value)),
      ...(unproven.has(info.name) ? { maybe: true } : {}),
    };
  });
}

/** What a value is and where it comes from: its declared type, else what it was last. */
export function detailOf({ detail, typed, kind, size }: KnownValue): string {
  if (typed || kind === undefined) return detail;
  const was = kind === 'list' && size !== undefined ? `list of ${size}` : kind;
  return [was, detail].filter(Boolean).join(' · ');
}
