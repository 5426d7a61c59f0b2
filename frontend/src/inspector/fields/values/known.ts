import type { ValuesOut } from '../../../api/types/schema.gen.ts';
import type { Json } from '../../../api/types/types.ts';
import { isRecord } from '../../../graph/document/equal.ts';
import { memberOf, type NameInfo } from '../../../graph/schema/names.ts';

/** A value that can be read here, with what the last run left there and whether it may be missing. */
export interface KnownValue extends NameInfo {
  last?: string;
  kind?: string;
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
function ofInput(value: Json): Pick<KnownValue, 'last' | 'kind'> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    kind: kindOf(value),
    last: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text,
  };
}

function inInput(name: string, input: Json | undefined): Json | undefined {
  if (name === 'input') return input;
  if (!isRecord(input)) return undefined;
  const key = Object.keys(input).find((each) => memberOf('input', each) === name);
  return key === undefined ? undefined : (input as Record<string, Json>)[key];
}

/** Names with what is known of their values: those of the input are the next test run's, others the last run's. */
export function withKnown(
  names: readonly NameInfo[],
  told: ValuesOut | undefined,
  input: Json | undefined,
): KnownValue[] {
  const named = ([lane = '', key = '']: readonly string[]) => memberOf(lane, key);
  const left = new Map(told?.values.map((value) => [named(value.path), value]));
  const unproven = new Set(told?.unproven.map(named));
  return names.map((info) => {
    const given = inInput(info.name, input);
    const value = left.get(info.name);
    return {
      ...info,
      ...(given === undefined ? {} : ofInput(given)),
      ...(value === undefined ? {} : { last: value.text, kind: value.kind }),
      ...(unproven.has(info.name) ? { maybe: true } : {}),
    };
  });
}
