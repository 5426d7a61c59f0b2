import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { EvaluatedOut } from '../../../api/types/schema.gen.ts';
import { type Evaluating, type Option, useForm } from '../../form/context.ts';
import classes from '../../inspector.module.css';
import { calledAt } from '../values/called.ts';
import { evaluateQuery, LONGEST, type TextLanguage } from './evaluateQuery.ts';

const PAUSE_MS = 400;

interface ValueProps {
  language: TextLanguage;
  text: string;
  /** It says whether the value counts as true, in place of the value. */
  asked?: boolean;
}

/** What is said of a value in one line. */
function said(given: EvaluatedOut, asked: boolean, nodes: readonly Option[]): string {
  if (given.problem !== null) return given.problem;
  if (given.lacks !== null) return `Nothing yet: ${calledAt(given.lacks, nodes)} has no value.`;
  if (asked) return given.holds ? 'Fits' : 'Does not fit';
  return given.text === '' ? '(empty)' : `${given.text ?? ''}${given.cut ? '…' : ''}`;
}

/** For what a text is evaluated: the input is that of the next run, memory and answers are what the last one left. */
function sourceOf(text: string, { name, run }: Evaluating): string {
  if (run === null || !/\b(memory|outputs|context)\b/.test(text)) return name;
  return /\binput\b/.test(text) ? `${name} and the last run` : 'the last run';
}

function Found({ language, text, asked = false, scene }: ValueProps & { scene: Evaluating }) {
  const { nodes } = useForm();
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const { data, error } = useQuery(evaluateQuery(language, settled, scene));
  // that it cannot be asked now hinders nobody who types
  if (!data || error) return null;
  const wrong = data.problem !== null || data.lacks !== null;
  return (
    <div className={classes.valueNow} data-wrong={wrong} aria-live="polite">
      <span className={classes.valueFor}>For {sourceOf(settled, scene)}</span>
      <span className={classes.valueText} title={data.lacks ?? undefined}>
        {said(data, asked, nodes)}
      </span>
    </div>
  );
}

/** The value of a text for the input of the next test run, as one types. Nothing where there is no text to evaluate. */
export function ValueNow(props: ValueProps) {
  const { evaluating } = useForm();
  const { text, language } = props;
  const worth = language === 'template' ? text.includes('{{') : text.trim() !== '';
  if (!evaluating || !worth || text.length > LONGEST) return null;
  return <Found {...props} scene={evaluating} />;
}
