/** What a person types about a model server, as the API takes it. */

export type PriceDraft = Record<string, { input: string; output: string }>;

/** The id that begins the names of a server's models, made from its name. */
export function providerId(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-$/, '')
    .slice(0, 63);
}

/** Headers from lines of `Name: value`; a line without a colon is a header without a value. */
export function headersOf(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Prices of the models that have any; what is left empty beside a price is free. */
export function pricesOf(
  draft: PriceDraft,
): Record<string, { input_per_million: string; output_per_million: string }> {
  const priced = Object.entries(draft).filter(
    ([, price]) => price.input !== '' || price.output !== '',
  );
  return Object.fromEntries(
    priced.map(([name, price]) => [
      name,
      { input_per_million: price.input || '0', output_per_million: price.output || '0' },
    ]),
  );
}
