import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { NameInfo } from '../../../graph/schema/names.ts';
import type { Language } from './CodeField.tsx';

/** How far behind a chosen value closing braces are looked for, in characters. */
const NEAR = 8;

/** Whether a place of a template lies between `{{` and `}}`. */
const inBraces = (before: string) => before.lastIndexOf('{{') > before.lastIndexOf('}}');

/** A value as it is written at a place of a text: with braces in a template, as a path in JSONPath. */
export function formOf(language: Language, text: string, at: number, name: string): string {
  if (language === 'jsonpath') return `$.${name}`;
  return language === 'template' && !inBraces(text.slice(0, at)) ? `{{ ${name} }}` : name;
}

/**
 * A value chosen between braces, and how much behind it is done with it: with the braces that were closed
 * by themselves the value is whole, and the cursor goes on behind them. Where more stands behind, as an
 * operator, or it is open still, the cursor stays in the value.
 */
export function closedBy(behind: string): number {
  return /^\s*\}\}/.exec(behind)?.[0].length ?? 0;
}

/** What asks for a value where it is no part of a word: `/` at the beginning or behind a space. */
const asked = /(?<![^\s])\/[\w.]*$/;

/**
 * Names that fit what is typed: in an expression everywhere, in a template between `{{` and `}}`, and where
 * a `/` asks for them. A chosen one is written as the place needs it and told to `onUse`.
 */
export function completeFrom(
  language: Language,
  names: () => readonly NameInfo[],
  onUse: (info: NameInfo) => void,
) {
  return (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos);
    const slash = asked.exec(context.state.sliceDoc(Math.max(0, context.pos - 80), context.pos));
    const braces = language === 'template' && inBraces(before);
    if (language === 'template' && !braces && !slash) return null;
    const word = context.matchBefore(/[A-Za-z_][\w.]*(\['[^']*)?/);
    if (!word && !slash && !context.explicit && !/\{\{\s?$/.test(before)) return null;
    const from = slash ? context.pos - slash[0].length : (word?.from ?? context.pos);
    const options = names().map((info, index): Completion => {
      const apply = (view: EditorView, completion: Completion, start: number, end: number) => {
        const text = slash ? formOf(language, before, start, info.name) : info.name;
        const behind = braces ? closedBy(view.state.sliceDoc(end, end + NEAR)) : 0;
        view.dispatch({
          changes: { from: start, to: end, insert: text },
          selection: { anchor: start + text.length + behind },
          annotations: pickedCompletion.of(completion),
        });
        onUse(info);
      };
      return {
        label: slash ? `/${info.name}` : info.name,
        displayLabel: info.name,
        detail: info.readable ? info.detail : `${info.detail} · is allowed by choosing it`,
        type: 'variable',
        boost: Math.max(-99, 50 - index),
        apply,
        ...(info.from ? { section: { name: info.from, rank: rankOf(info.from) } } : {}),
      };
    });
    return { from, options, validFor: /^[\w.[\]'/]*$/ };
  };
}

const order = ['The node before', 'Start', 'Fields', 'Answers', 'About the run'];
const rankOf = (from: string) => order.indexOf(from);
