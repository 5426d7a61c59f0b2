import type { EdgeDoc, NodeDoc } from '../../api/types/types.ts';
import { type Askable, describedFields } from '../conditions/askable.ts';
import { type Value, valueWord } from '../conditions/condition.ts';
import { writeRow } from '../conditions/write.ts';
import type { Settings } from '../document/document.ts';
import type { Port } from './ports.ts';

/** Values beyond which a field has no ports of its own. */
const MOST = 12;

/** Fields that are offered to branch by. */
const OFFERED = 8;

/** What the ids of ports begin with that stand for a condition. */
export const IF = 'if:';

const conditionFor = (field: string, value: Value) =>
  writeRow({ field, op: 'is', values: [value] });

/** The fields by which a node can branch: those that list their values. */
export const branchable = (settings: Settings): readonly Askable[] =>
  describedFields(settings).filter(({ values }) => values.length > 0 && values.length <= MOST);

/** The fields that a node may branch by, those that it gives first; of many the first few. */
export function branchFields(settings: Settings, node: NodeDoc): Askable[] {
  const own = ({ field, label }: Askable) =>
    field.startsWith('memory') && node.write_keys?.includes(label) === true;
  const fields = branchable(settings);
  return [...fields.filter(own), ...fields.filter((field) => !own(field))].slice(0, OFFERED);
}

/** The port that an edge with a condition of its own leaves from; null for one without. */
export const conditionPort = ({ condition, on }: EdgeDoc): string | null =>
  condition && (on ?? 'completed') === 'completed' ? `${IF}${condition}` : null;

/** A port for each value of the fields by which a node branches: those its wires ask for, and the wanted one. */
export function branchPorts(
  settings: Settings,
  out: readonly EdgeDoc[],
  wanted: string | undefined,
): Port[] {
  const wired = new Set(out.map(conditionPort).filter((id) => id !== null));
  if (wired.size === 0 && wanted === undefined) return [];
  return branchable(settings).flatMap(({ field, label, values }) => {
    const ports = values.map((value): Port => {
      const id = `${IF}${conditionFor(field, value)}`;
      const name = valueWord(value);
      return {
        id,
        label: typeof value === 'boolean' ? `${label}: ${name}` : name,
        kind: 'dynamic',
        hint: `${label} is ${name}`,
        quiet: !wired.has(id),
      };
    });
    return field === wanted || ports.some(({ quiet }) => !quiet) ? ports : [];
  });
}
