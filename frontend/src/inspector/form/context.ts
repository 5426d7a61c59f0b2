import { createContext, useContext } from 'react';
import type {
  Agent,
  Credential,
  FunctionInfo,
  Json,
  ModelInfo,
  Problem,
  ToolInfo,
} from '../../api/types/types.ts';
import type { KeyInfo, NameInfo } from '../../graph/schema/names.ts';

export interface Option {
  value: string;
  label: string;
  hint?: string;
}

/** Over what texts are evaluated as one types: the input of the next test run, and what the last one has left. */
export interface Evaluating {
  graph: string;
  /** What people call the input: `sample Ada`. */
  name: string;
  input: Json | undefined;
  run: string | null;
  /** How that run stands: while it moves it leaves more. */
  stands: string | null;
  /** The save that answers of the server are of. */
  revision: number;
}

/** What the fields of a form may offer. */
export interface FormScene {
  agents: readonly (Pick<Agent, 'id' | 'name' | 'model'> & { own?: boolean })[];
  models: readonly ModelInfo[];
  /** The model that the workspace uses where none is named; empty while it is not known. */
  defaultModel: string;
  tools: readonly ToolInfo[];
  functions: readonly FunctionInfo[];
  credentials: readonly Credential[];
  graphs: readonly Option[];
  nodes: readonly Option[];
  keys: readonly KeyInfo[];
  names: readonly NameInfo[];
  problems: readonly Problem[];
  readOnly: boolean;
  /** The node that the form is about; null for anything else. */
  node: string | null;
  /** Let the subject read what a value needs; null where it reads everything. */
  allow: ((grant: string) => void) | null;
  /** The node whose prompts models were sent; null where the form is not that of such a node. */
  prompting: { graph: string; node: string } | null;
  /** The node or wire that the form is of; empty for others. */
  at: string;
  /** Null where texts are not evaluated. */
  evaluating: Evaluating | null;
}

export const emptyForm: FormScene = {
  agents: [],
  models: [],
  defaultModel: '',
  tools: [],
  functions: [],
  credentials: [],
  graphs: [],
  nodes: [],
  keys: [],
  names: [],
  problems: [],
  readOnly: false,
  node: null,
  allow: null,
  prompting: null,
  at: '',
  evaluating: null,
};

export const FormContext = createContext<FormScene>(emptyForm);
export const useForm = () => useContext(FormContext);

/** A path as the server and the form both can say it: `config.prompt`. */
export const normalPath = (path: string) =>
  path
    .replace(/\[([^[\]]+)\]/g, '.$1')
    .replace(/\//g, '.')
    .replace(/^[.$]+/, '');

/** Lists name the field; at the field itself its name is noise. */
const NAMED = /^"[^"]+" is required\.$/;

/** The problems at a field. */
export function problemsAt(problems: readonly Problem[], path: string): Problem[] {
  const wanted = normalPath(path);
  return problems.filter((problem) => {
    const place = normalPath(problem.path);
    return place === wanted || place.endsWith(`.${wanted}`);
  });
}

/** What is wrong at a field, the worst only but each value that is not there; undefined when it is fine. */
export function problemAt(problems: readonly Problem[], path: string): string | undefined {
  const here = problemsAt(problems, path);
  const errors = here.filter((problem) => problem.severity === 'error');
  const warnings = here.filter((problem) => problem.severity === 'warning');
  const strange = warnings.filter((problem) => problem.code === 'UnknownReference');
  const worst = errors.length > 0 ? [...errors, ...strange] : warnings;
  if (worst[0] && NAMED.test(worst[0].message)) return 'This is required.';
  const told = new Set(worst.map((problem) => problem.say ?? problem.message));
  return told.size > 0 ? [...told].join(' ') : undefined;
}
