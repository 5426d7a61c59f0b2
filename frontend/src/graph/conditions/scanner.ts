import type { Value } from './condition.ts';

const ROOTS = ['memory', 'input', 'outputs', 'previous', 'result', 'metadata', 'context', 'goal'];
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]\d+)?/y;
const marks: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Walks once over a text, from its beginning to its end. */
export class Scanner {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  /** What is left, at most so many characters of it. */
  rest(most: number): string {
    return this.#text.slice(this.#at, this.#at + most);
  }

  /** Whether this stands here. */
  at(word: string): boolean {
    return this.#text.startsWith(word, this.#at);
  }

  /** Step over a word; false where it does not stand here. */
  take(word: string): boolean {
    if (!this.at(word)) return false;
    this.#at += word.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  /** A name of the scope and what is picked from it: `memory.level`, `outputs['x-1']`; null for anything else. */
  field(): string | null {
    const start = this.#at;
    const root = this.#match(NAME);
    if (root === null || !ROOTS.includes(root)) return null;
    for (;;) {
      const before = this.#at;
      if (this.take("['")) {
        this.#at = before + 1;
        if (this.#string() === null || !this.take(']')) return null;
      } else if (!this.take('.')) break;
      else if (this.#match(NAME) === null || this.at('(')) {
        this.#at = before;
        break;
      }
    }
    return this.#text.slice(start, this.#at);
  }

  /** Whether a literal stands here. */
  atValue(): boolean {
    return /['\-\d]/.test(this.#text.charAt(this.#at)) || this.at('true') || this.at('false');
  }

  /** A literal; null where none stands here. */
  value(): Value | null {
    if (this.at("'")) return this.#string();
    if (this.take('true')) return true;
    if (this.take('false')) return false;
    const number = this.#match(NUMBER);
    return number === null ? null : Number(number);
  }

  /** A text in single quotes. */
  #string(): string | null {
    let found = '';
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at);
      if (char === "'") {
        this.#at = at + 1;
        return found;
      }
      if (char !== '\\') {
        found += char;
        continue;
      }
      at += 1;
      const mark = marks[this.#text.charAt(at)];
      if (mark === undefined) return null;
      found += mark;
    }
    return null;
  }
}
