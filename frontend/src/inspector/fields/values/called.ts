import type { Option } from '../../form/context.ts';

const LANES: Record<string, string> = {
  input: 'the input',
  previous: 'the answer of the node before',
  metadata: 'what wires pass on beside the values',
  context: 'tenant, user, session',
};
const PART = /[\p{L}_][\p{L}\p{N}_-]*|\['([^']*)'\]|\[(\d+)\]/gu;

/** The parts of a path as an expression writes it: `outputs['x-1'].list[0]` is outputs, x-1, list, item 1. */
function partsOf(path: string): string[] {
  return [...path.matchAll(PART)].map(([whole, quoted, index]) =>
    index === undefined ? (quoted ?? whole) : `item ${String(Number(index) + 1)}`,
  );
}

/** Where a path begins, in words, and what is left of it; null for what no words are known of. */
function beginning(
  [lane = '', key, ...rest]: readonly string[],
  nodes: readonly Option[],
): [string, string[]] | null {
  if (lane === 'outputs' && key !== undefined)
    return [`the answer of ${nodes.find(({ value }) => value === key)?.label ?? key}`, rest];
  if (lane === 'memory' && key !== undefined) return [`the field “${key}”`, rest];
  if (lane === 'input' && key !== undefined) return [`the start field “${key}”`, rest];
  const whole = LANES[lane];
  return whole === undefined ? null : [whole, key === undefined ? [] : [key, ...rest]];
}

/** What a path leads to in words, such as: “total” in the answer of Extract. The path where no words are known of it. */
export function calledAt(path: string, nodes: readonly Option[]): string {
  const begun = beginning(partsOf(path), nodes);
  if (!begun) return path;
  const [start, rest] = begun;
  return rest.reduce(
    (within, part) => `${/^item \d+$/.test(part) ? part : `“${part}”`} in ${within}`,
    start,
  );
}
