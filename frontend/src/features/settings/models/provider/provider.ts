/** What a person types about a model server, as the API takes it. */

/** What may be asked of a model. */
export interface Capabilities {
  tools: boolean;
  schema: boolean;
  images: boolean;
}

/** The id that begins the names of a server's models, made from its name. */
export function providerId(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-$/, '')
    .slice(0, 63);
}

function hostOf(address: string): string {
  try {
    return new URL(address.trim()).hostname;
  } catch {
    return '';
  }
}

const COMMON = new Set(['api', 'www', 'llm', 'ai', 'models', 'inference']);

/** A name to propose for the server at an address: what tells its host from others. */
export function nameOf(address: string): string {
  const host = hostOf(address);
  if (host === '') return '';
  if (!/[g-z]/.test(host)) return 'My server';
  const labels = host.split('.');
  const telling = labels.slice(0, -1).filter((label) => !COMMON.has(label));
  return telling.at(-1) ?? labels[0] ?? '';
}

const PRIVATE =
  /^(localhost$|127\.\d|10\.\d+\.\d+\.\d+$|192\.168\.\d|172\.(1[6-9]|2\d|3[01])\.\d|\[(::1\]|f[cd]))/;

/** Whether an address is on one's own machines, where models cost nothing. */
export const isAtHome = (address: string): boolean => PRIVATE.test(hostOf(address));

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

/** The fields that a text of JSON holds; null where it is no JSON object. */
export function fieldsOf(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export interface Rates {
  input: string;
  output: string;
  cached: string;
}
export const NO_RATES: Rates = { input: '', output: '', cached: '' };
export const FREE: Rates = { input: '0', output: '0', cached: '' };

/** Rates as the API takes them; null where none was given. What is left empty beside one is free. */
export function ratesBody({ input, output, cached }: Rates) {
  if (input === '' && output === '') return null;
  return {
    input_per_million: input || '0',
    output_per_million: output || '0',
    ...(cached === '' ? {} : { cached_per_million: cached }),
  };
}
