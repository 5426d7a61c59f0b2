/** A quoted text, or anything else that stands between two `+`. */
const TERM = /^\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([A-Za-z_][\w.]*))\s*$/;
const NAME = /(?<![\w.'"])([A-Za-z_]\w*(?:\.\w+)+)(?!\w)/g;

const unquoted = (text: string) =>
  text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));

/** The terms of a sum, where it is one of quoted texts and names alone; null for anything else. */
function terms(expression: string): string[] | null {
  const quoted: string[] = [];
  // quoted texts stand aside while the sum is taken apart
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) => {
    quoted.push(text);
    return `\uE000${quoted.length - 1}\uE000`;
  });
  const parts = bare
    .split('+')
    .map((part) => part.replace(/\uE000(\d+)\uE000/g, (_, at: string) => quoted[Number(at)] ?? ''));
  return quoted.length > 0 && parts.every((part) => TERM.test(part)) ? parts : null;
}

/** A template that says what an expression does: `"Dear " + input.name` is `Dear {{ input.name }}`. */
export function textOf(expression: string): string {
  const sum = terms(expression);
  if (!sum) return expression.trim() === '' ? '' : `{{ ${expression.trim()} }}`;
  return sum
    .map((term) => {
      const [, double, single, name] = TERM.exec(term) ?? [];
      return name === undefined ? unquoted(double ?? single ?? '') : `{{ ${name} }}`;
    })
    .join('');
}

/** A text that was written where an expression belongs, with the values that it names as such. */
export const letterOf = (text: string, names: readonly string[]): string =>
  text.replace(NAME, (name: string) =>
    names.some((known) => name === known || name.startsWith(`${known}.`)) ? `{{ ${name} }}` : name,
  );

/** An expression that says what a template does. A lone value keeps its kind. */
export function expressionOf(template: string): string {
  const [first = '', ...rest] = template.split('{{');
  const parts = first === '' ? [] : [JSON.stringify(first)];
  const values: string[] = [];
  for (const piece of rest) {
    const end = piece.indexOf('}}');
    const value = (end < 0 ? piece : piece.slice(0, end)).trim();
    const after = end < 0 ? '' : piece.slice(end + 2);
    if (value) values.push(value);
    if (value) parts.push(`string(${value})`);
    if (after) parts.push(JSON.stringify(after));
  }
  return parts.length === 1 && values.length === 1 ? (values[0] ?? '') : parts.join(' + ');
}
