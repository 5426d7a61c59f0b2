/**
 * What is special to a node type in a run, by the kinds that the server describes
 * (`engine/core/node_types/run_views.py`): read from the rows, children, calls and output of one activation.
 */

import type { ViewInfo, ViewKind } from '../../api/types/types.ts';
import { brief, isObject, type Json, type JsonObject, sameJson } from '../values/json.ts';
import type {
  ActivationStatus,
  ActivationView,
  ChildRunView,
  RunView,
  StepView,
} from '../fold/model.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : null;
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The rows of a view that the attempt which counts has shown. */
export function rowsOf(activation: ActivationView, view: ViewKind): JsonObject[] {
  const own = activation.rows.filter((row) => row.view === view);
  const attempt = Math.max(0, ...own.map((row) => row.attempt));
  return own
    .filter((row) => row.attempt === attempt)
    .flatMap((row) => (isObject(row.row) ? [row.row] : []));
}

export interface ItemView {
  index: number;
  node: string;
  item: Json | undefined;
  /** The child's key; undefined while it waits for its turn. */
  key: string | undefined;
  status: ActivationStatus;
  output: Json | undefined;
  error: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

/** The children of an activation, those included that wait for their turn. */
export function itemsOf(view: RunView, activation: ActivationView): ItemView[] {
  const items: ItemView[] = [];
  for (const group of activation.children) {
    group.wanted.forEach((wanted, place) => {
      const key = group.keys[place];
      const child = key === undefined ? undefined : view.activations[key];
      items.push({
        index: items.length,
        node: wanted.node,
        item: wanted.item,
        key: child?.key,
        status: child?.status ?? (activation.endedAt === null ? 'queued' : 'cancelled'),
        output: child?.output,
        error:
          child?.error?.message ??
          (child?.status === 'retrying'
            ? (child.attemptErrors.at(-1)?.error.message ?? null)
            : null),
        startedAt: child?.startedAt ?? null,
        endedAt: child?.endedAt ?? null,
      });
    });
  }
  return items;
}

export interface DecisionView {
  choice: string | null;
  reason: string;
  by: string | null;
  /** The child that did what was decided. */
  child: ItemView | undefined;
}

/** Who chose what and why, each with the child that followed. */
export function decisionsOf(view: RunView, activation: ActivationView): DecisionView[] {
  const items = itemsOf(view, activation);
  return rowsOf(activation, 'decisions').map((row, place) => ({
    choice: typeof row.choice === 'string' ? row.choice : null,
    reason: text(row.reason),
    by: typeof row.by === 'string' ? row.by : null,
    child:
      typeof row.choice === 'string' && items[place]?.node === row.choice
        ? items[place]
        : undefined,
  }));
}

export interface VotesView {
  votes: { voter: string; vote: Json | undefined; error: string | null }[];
  tally: { vote: Json; weight: number; voters: string[]; won: boolean }[];
  winner: Json | undefined;
  strategy: string;
  /** What shared the most votes and how one of it, or the judge's word, became the winner. */
  tie: { between: Json[]; brokenBy: string } | null;
}

/** The votes as they come in, and how they were counted once they are. */
export function votesOf(activation: ActivationView): VotesView {
  const rows = rowsOf(activation, 'votes');
  const count = rows.find((row) => Array.isArray(row.tally));
  const votes = rows.filter((row) => typeof row.voter === 'string');
  return {
    votes: votes.map((row) => ({
      voter: text(row.voter),
      vote: row.vote,
      error: isObject(row.error) ? text(row.error.message) : null,
    })),
    tally: list(count?.tally)
      .filter(isObject)
      .map((each) => ({
        vote: each.vote ?? null,
        weight: number(each.weight) ?? 0,
        voters: list(each.voters).map(text),
        won: sameJson(each.vote ?? null, count?.winner ?? null),
      })),
    winner: count?.winner,
    strategy: text(count?.strategy),
    tie: isObject(count?.tie)
      ? { between: list(count.tie.between), brokenBy: text(count.tie.broken_by) }
      : null,
  };
}

export interface GenerationView {
  generation: number;
  temperature: number | null;
  best: number | null;
  mean: number | null;
  count: number;
  failed: number;
  threshold: number | null;
  top: { fitness: number; text: string; reasoning: string }[];
}

/** The generations so far. */
export function generationsOf(activation: ActivationView): GenerationView[] {
  return rowsOf(activation, 'generations').map((row, place) => ({
    generation: number(row.generation) ?? place,
    temperature: number(row.temperature),
    best: number(row.best),
    mean: number(row.mean),
    count: number(row.count) ?? 0,
    failed: number(row.failed) ?? 0,
    threshold: number(row.threshold),
    top: list(row.top)
      .filter(isObject)
      .map((each) => ({
        fitness: number(each.fitness) ?? 0,
        text: text(each.text),
        reasoning: text(each.reasoning),
      })),
  }));
}

export interface ScoreView {
  pass: number;
  temperature: number | null;
  score: number;
  feedback: string;
  threshold: number | null;
  best: boolean;
}

/** The passes so far; of equally good ones the first is the best. */
export function scoresOf(activation: ActivationView): ScoreView[] {
  const rows = rowsOf(activation, 'scores');
  const most = Math.max(...rows.map((row) => number(row.score) ?? 0));
  const best = rows.findIndex((row) => (number(row.score) ?? 0) === most);
  return rows.map((row, place) => ({
    pass: number(row.pass) ?? place,
    temperature: number(row.temperature),
    score: number(row.score) ?? 0,
    feedback: text(row.feedback),
    threshold: number(row.threshold),
    best: place === best,
  }));
}

export interface VerdictView {
  passed: boolean;
  reasoning: string;
  score: number | null;
  threshold: number | null;
  extracted: Json | undefined;
  hasExtracted: boolean;
}

/** The verdict, from the output or from the error that it became; null while there is none. */
export function verdictOf(activation: ActivationView): VerdictView | null {
  const error = activation.error ?? activation.attemptErrors.at(-1)?.error ?? null;
  const said = [activation.output, error?.detail].find(
    (each): each is JsonObject => isObject(each) && typeof each.passed === 'boolean',
  );
  if (said === undefined) return null;
  return {
    passed: said.passed === true,
    reasoning: text(said.reasoning),
    score: number(said.score),
    threshold: number(said.threshold),
    extracted: said.extracted_value,
    hasExtracted: 'extracted_value' in said,
  };
}

export interface FactView {
  text: string;
  tags: string[];
  entities: string[];
}

export interface FactsView {
  stored: { facts: FactView[]; done: boolean }[];
  found: { query: string; facts: FactView[]; failed: string | null; done: boolean }[];
}

const factOf = (value: JsonObject): FactView => ({
  text: text(value.text),
  tags: list(value.tags).map(text),
  entities: list(value.entities).map((each) => (isObject(each) ? text(each.name) : text(each))),
});

/** Facts that were stored, and facts that were looked up and found. */
export function factsOf(activation: ActivationView): FactsView {
  const calls = activation.steps.filter((step) => step.kind === 'memory');
  return {
    stored: calls.flatMap((step) => {
      const facts = storedBy(step);
      return facts === null ? [] : [{ facts, done: step.status === 'completed' }];
    }),
    found: calls.filter((step) => storedBy(step) === null).map(foundBy),
  };
}

/** The facts that a call stores; null for a call that looks facts up. */
export function storedBy(step: StepView): FactView[] | null {
  const facts = isObject(step.request) ? step.request.facts : undefined;
  return Array.isArray(facts) ? facts.filter(isObject).map(factOf) : null;
}

/** What a look-up asked for and found. */
export function foundBy(step: StepView): FactsView['found'][number] {
  const request = isObject(step.request) ? step.request : {};
  const parts = [
    text(request.text),
    ...list(request.entity_ids).map(text),
    ...list(request.tags).map((tag) => `#${text(tag)}`),
  ];
  return {
    query: parts.filter((part) => part !== '').join(' · '),
    facts: list(step.result).filter(isObject).map(factOf),
    failed: step.error?.message ?? null,
    done: step.status === 'completed',
  };
}

export const childRunsOf = (activation: ActivationView): readonly ChildRunView[] =>
  activation.childRuns;

const STOPPED: Readonly<Record<string, string>> = {
  model: 'The agent said that it is done.',
  condition: 'The condition of completion holds.',
  threshold: 'The result is good enough.',
  delta: 'Another pass gained too little.',
  stagnation: 'Nothing got better any more.',
  limit: 'The limit of rounds is reached.',
  budget: 'The next round does not fit the budget; the best so far counts.',
};

/** Why the node stopped, in words; null while it works, or where its output does not say. */
export function stoppedBy(activation: ActivationView): string | null {
  const said = isObject(activation.output) ? text(activation.output.stopped_by) : '';
  return said === '' ? null : (STOPPED[said] ?? said);
}

/** Whether there is anything to show for a view. */
export function hasView(view: RunView, activation: ActivationView, kind: ViewKind): boolean {
  switch (kind) {
    case 'items':
      return activation.children.length > 0;
    case 'verdict':
      return verdictOf(activation) !== null;
    case 'facts':
      return activation.steps.some((step) => step.kind === 'memory');
    case 'child_run':
      return activation.childRuns.length > 0 || view.transition?.key === activation.key;
    default:
      return activation.rows.some((row) => row.view === kind);
  }
}

const CHILDREN: ViewInfo = { kind: 'items', title: 'Children' };
const CHILD_RUNS: ViewInfo = { kind: 'child_run', title: 'Child runs' };
const FOUND: ViewInfo = { kind: 'facts', title: 'Facts' };

/** The views of an activation that have something to show: the declared ones, then what nobody declared but the log has. */
export function viewsOf(
  view: RunView,
  activation: ActivationView,
  declared: readonly ViewInfo[],
): ViewInfo[] {
  const covers = (kinds: readonly ViewKind[]) => shown.some((each) => kinds.includes(each.kind));
  const shown = declared.filter((each) => hasView(view, activation, each.kind));
  if (!covers(['items', 'decisions']) && hasView(view, activation, 'items')) shown.push(CHILDREN);
  if (!covers(['child_run']) && hasView(view, activation, 'child_run')) shown.push(CHILD_RUNS);
  if (
    !covers(['facts']) &&
    hasView(view, activation, 'facts') &&
    factsOf(activation).stored.length > 0
  )
    shown.push(FOUND);
  return shown;
}

/** One line about a view for the node's card; empty where there is nothing to say. */
export function headlineOf(
  view: RunView,
  activation: ActivationView,
  kind: ViewKind,
  label: (id: string) => string,
): string {
  switch (kind) {
    case 'items': {
      const items = itemsOf(view, activation);
      const failed = items.filter((item) => item.status === 'failed').length;
      const done = items.filter(
        (item) => item.status === 'completed' || item.status === 'skipped',
      ).length;
      return `${done} of ${items.length} done${failed > 0 ? `, ${failed} failed` : ''}`;
    }
    case 'decisions': {
      const last = decisionsOf(view, activation).at(-1);
      return last === undefined ? '' : last.choice === null ? 'done' : `→ ${label(last.choice)}`;
    }
    case 'votes': {
      const { votes, winner } = votesOf(activation);
      return winner === undefined
        ? `${votes.length} ${votes.length === 1 ? 'vote' : 'votes'}`
        : brief(winner, 60);
    }
    case 'generations': {
      const last = generationsOf(activation).at(-1);
      return last === undefined
        ? ''
        : `generation ${last.generation + 1}, best ${score(last.best)}`;
    }
    case 'scores': {
      const all = scoresOf(activation);
      return all.length === 0
        ? ''
        : `pass ${all.length}, best ${score(all.find((each) => each.best)?.score ?? null)}`;
    }
    case 'verdict': {
      const verdict = verdictOf(activation);
      return verdict === null
        ? ''
        : `${verdict.passed ? 'passed' : 'failed'}${verdict.score === null ? '' : `, ${score(verdict.score)}`}`;
    }
    case 'facts': {
      const stored = factsOf(activation).stored.reduce((sum, each) => sum + each.facts.length, 0);
      return stored === 0 ? '' : `${stored} ${stored === 1 ? 'fact' : 'facts'} stored`;
    }
    case 'child_run': {
      const last = activation.childRuns.at(-1);
      return last === undefined
        ? ''
        : last.waiting
          ? 'child run waits for people'
          : `child run ${last.status ?? 'under way'}`;
    }
    default:
      return kind satisfies never;
  }
}

/** A score for reading: at most three decimals. */
export const score = (value: number | null): string =>
  value === null ? '–' : String(Math.round(value * 1000) / 1000);
