import type { StreamParser, StringStream } from '@codemirror/language';
import type { Language } from './CodeField.tsx';

interface State {
  inside: boolean;
}

const words =
  /^(true|false|null|in|has|size|startsWith|endsWith|contains|matches|exists|all|filter|map|int|double|string|bool|orValue)\b/;

/** One token of an expression (CEL). */
function expression(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^("([^"\\]|\\.)*"?|'([^'\\]|\\.)*'?)/)) return 'string';
  if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?u?/)) return 'number';
  if (stream.match(/^(true|false|null)\b/)) return 'bool';
  if (stream.match(words)) return 'keyword';
  if (stream.match(/^\.\s*\??[A-Za-z_]\w*/)) return 'propertyName';
  if (stream.match(/^[A-Za-z_]\w*/)) return 'variableName';
  stream.next();
  return null;
}

function template(stream: StringStream, state: State): string | null {
  if (state.inside) {
    if (stream.match('}}')) {
      state.inside = false;
      return 'bracket';
    }
    return expression(stream);
  }
  if (stream.match('{{')) {
    state.inside = true;
    return 'bracket';
  }
  while (stream.next() !== undefined) if (stream.match('{{', false)) break;
  return null;
}

function json(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^"([^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName';
  if (stream.match(/^"([^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^(true|false|null)\b/)) return 'bool';
  stream.next();
  return null;
}

/** The colouring of a language: templates are text with expressions between `{{` and `}}`. */
export function parserOf(language: Language): StreamParser<State> {
  const token = language === 'template' ? template : language === 'json' ? json : expression;
  return { name: language, startState: () => ({ inside: false }), token };
}
