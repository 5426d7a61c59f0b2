import type {
  Decision,
  Interrupt,
  InterruptAnswer,
  Json,
  JsonObject,
} from '../../../api/types/types.ts';
import { addDecimal, compareDecimal } from '../../../run/values/decimal.ts';
import { boxed, readNumber } from '../../../run/values/typedNumber.ts';
import { blobOf, isObject, sameJson } from '../../../run/values/json.ts';
import { isRequest, mayHaveHappened, readOutcome, readStatus } from './doubt/outcome.ts';
import { factsAndProse } from './fields/fieldLook.ts';
import {
  type FieldValue,
  type FieldValues,
  type FormField,
  fieldsOf,
  inputsOf,
  readForm,
} from './fields/schemaFields.ts';
import { shownOf } from './fields/whole.ts';

/** What a person has filled in so far. */
export interface AnswerDraft {
  comment: string;
  /** Why one rejects: it goes with no approval. */
  reason: string;
  text: string;
  picked: string[];
  inputs: FieldValues;
  limitUsd: string;
  limitTokens: string;
  result: string;
  resultStatus: string;
  /** What was typed to say that one means it. */
  typed: string;
  /** In whose place one decides; empty for the first that one may. */
  place: string;
}

export type Verb =
  'approve' | 'reject' | 'send' | 'raise' | 'stop' | 'happened' | 'retry' | 'skip' | 'cancel';

/** Problems by field; `comment`, `selected`, `limitUsd`, `limitTokens`, `result`, `resultStatus` are the fixed ones. */
export type AnswerProblems = Record<string, string>;
export type BuiltAnswer =
  { answer: InterruptAnswer; problems: null } | { answer: null; problems: AnswerProblems };

const DECISIONS: Partial<Record<Verb, Decision>> = {
  approve: 'approved',
  reject: 'rejected',
  raise: 'raise',
  stop: 'stop',
  happened: 'happened',
  retry: 'retry',
  skip: 'skip',
};

/** The typed inputs of an item: the fields that a reviewer may edit, or those of a form. */
export function answerFields({ kind, request, not_mine_to_edit: others }: Interrupt): FormField[] {
  if (kind === 'form') return fieldsOf(request.schema);
  if (kind !== 'approval' || !request.editable_keys?.length) return [];
  return editableFields(request).filter(({ name }) => !(name in others));
}

/** The fields that a reviewer sees and only others may edit. */
export function othersFields({ kind, request, not_mine_to_edit: others }: Interrupt): FormField[] {
  if (kind !== 'approval' || Object.keys(others).length === 0) return [];
  return editableFields(request).filter(({ name }) => name in others);
}

/** The fields of the form in the order in which the item shows them. */
function editableFields(request: Interrupt['request']): FormField[] {
  const data = isObject(request.data) ? request.data : {};
  const [facts, prose] = factsAndProse(data);
  const shown = [...facts, ...prose].map(([name]) => name);
  const placeOf = ({ name }: FormField) => (name in data ? shown.indexOf(name) : shown.length);
  const fields = fieldsOf(request.edit_schema, data, request.editable_keys ?? []);
  if (blobOf(request.data)) return fields.map((field) => ({ ...field, kind: 'apart' }));
  return fields.sort((a, b) => placeOf(a) - placeOf(b));
}

/** An untouched draft: edits start as what is shown, a raise as the smallest round sum that fits. */
export function emptyDraft(item: Interrupt): AnswerDraft {
  const { request } = item;
  return {
    comment: '',
    reason: '',
    text: '',
    picked: [],
    inputs: inputsOf(
      answerFields(item),
      item.kind === 'approval' ? request.data : defaultsOf(item),
    ),
    limitUsd: item.kind === 'budget' && request.limit_usd ? boxed(suggestedLimit(item)) : '',
    limitTokens: item.kind === 'budget' && request.limit_tokens ? suggestedTokens(item) : '',
    result: '',
    resultStatus: '200',
    typed: '',
    place: '',
  };
}

/** Whether a field of an approval is written otherwise than it was shown. */
export const hasEdits = (item: Interrupt, draft: AnswerDraft): boolean =>
  item.kind === 'approval' &&
  !sameJson(inputsNow(item, draft) as Json, emptyDraft(item).inputs as Json);

/** What the inputs hold: one that the draft says nothing of is as it is shown. */
export const inputsNow = (item: Interrupt, draft: AnswerDraft): FieldValues => ({
  ...emptyDraft(item).inputs,
  ...draft.inputs,
});

/** A longer text that stands as it is shown is not kept with what somebody has written. */
const KEPT = 1000;

/** The inputs to keep: without longer texts that nobody has changed. */
export function ownInputs(item: Interrupt, inputs: FieldValues): FieldValues {
  const shown = emptyDraft(item).inputs;
  const isOwn = ([name, value]: [string, FieldValue]) =>
    JSON.stringify(value).length < KEPT || !sameJson(value as Json, shown[name] as Json);
  return Object.fromEntries(Object.entries(inputs).filter(isOwn));
}

const REASONS = [
  'The facts are wrong',
  'Against our rules',
  'Not needed any more',
  'Someone else should decide',
];

/** The reasons to reject that are offered ready-made. */
export const reasonsOf = ({ request }: Interrupt): string[] => request.reasons ?? REASONS;

/** The draft when one turns to rejecting: a comment that was written before begins the reason. */
export const withReason = (draft: AnswerDraft): AnswerDraft =>
  draft.reason === '' ? { ...draft, reason: draft.comment } : draft;

/** The draft after one turned from rejecting: own words are kept for when one turns back to it. */
export const withoutReason = (item: Interrupt, draft: AnswerDraft): AnswerDraft =>
  draft.reason === draft.comment || reasonsOf(item).includes(draft.reason)
    ? { ...draft, reason: '' }
    : draft;

function defaultsOf({ request }: Interrupt): JsonObject {
  const entries = Object.entries(request.schema?.properties ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, schema]): [string, Json][] =>
      schema.default === undefined ? [] : [[name, schema.default]],
    ),
  );
}

/** What the budget must at least become: spent, held and asked for together, rounded up to whole cents. */
export function suggestedLimit({ request }: Interrupt): string {
  const needed = addDecimal(
    addDecimal(request.spent_usd ?? '0', request.held_usd ?? '0'),
    request.asked_usd ?? '0',
  );
  const least =
    compareDecimal(needed, request.limit_usd ?? '0') > 0
      ? needed
      : addDecimal(request.limit_usd ?? '0', request.asked_usd ?? '0.01');
  return (Math.ceil(Number(least) * 100 - 1e-9) / 100).toFixed(2);
}

/** The token limit that covers what is asked, in round hundreds; empty where the tokens suffice as they are. */
export function suggestedTokens({ request }: Interrupt): string {
  const limit = request.limit_tokens ?? 0;
  const needed =
    (request.spent_tokens ?? 0) + (request.held_tokens ?? 0) + (request.asked_tokens ?? 0);
  return needed > limit ? String(Math.ceil(needed / 100) * 100) : '';
}

/** The edits of a reviewer: only what differs from what was shown. */
export function editsOf(
  item: Interrupt,
  draft: AnswerDraft,
): { edits: JsonObject; problems: AnswerProblems } {
  const [inputs, before] = [inputsNow(item, draft), emptyDraft(item).inputs];
  // what nobody touched is not sent, so nothing of it has to be corrected
  const isTouched = ({ name }: FormField) =>
    !(name in before) || !sameJson(inputs[name] as Json, before[name] as Json);
  const { values, problems } = readForm(answerFields(item).filter(isTouched), inputs);
  const shown = shownOf(item);
  const changed = Object.entries(values).filter(([name, value]) => !sameJson(value, shown[name]));
  return { edits: Object.fromEntries(changed), problems };
}

/** The answer to send for a verb, or what has to be corrected first. */
export function buildAnswer(item: Interrupt, verb: Verb, draft: AnswerDraft): BuiltAnswer {
  const answer: InterruptAnswer = { token: item.resume_token ?? '' };
  if (item.content_hash) answer.content_hash = item.content_hash;
  const comment = (verb === 'reject' ? draft.reason : draft.comment).trim();
  if (comment) answer.comment = comment;
  const decision = DECISIONS[verb];
  if (decision) answer.decision = decision;
  if (draft.place) answer.stands_for = draft.place;
  const problems = fill(answer, item, verb, draft);
  return Object.keys(problems).length === 0
    ? { answer, problems: null }
    : { answer: null, problems };
}

function fill(
  answer: InterruptAnswer,
  item: Interrupt,
  verb: Verb,
  draft: AnswerDraft,
): AnswerProblems {
  switch (verb) {
    case 'approve':
      return fillApproval(answer, item, draft);
    case 'reject':
      return needsReason(item, verb) && !answer.comment
        ? { comment: 'Say why, so that the author can act on it.' }
        : {};
    case 'send':
      return fillQuestion(answer, item, draft);
    case 'raise':
      return fillRaise(answer, item, draft);
    case 'happened':
      return fillResult(answer, item, draft);
    case 'cancel':
      answer.cancel = true;
      return {};
    case 'stop':
    case 'retry':
    case 'skip':
      return {};
    default:
      return verb satisfies never;
  }
}

/** Whether this verb needs a reason here. */
export function needsReason({ kind, request }: Interrupt, verb: Verb): boolean {
  if (kind !== 'approval') return false;
  return (
    request.require_reason === 'always' ||
    (verb === 'reject' && request.require_reason === 'reject')
  );
}

function fillApproval(
  answer: InterruptAnswer,
  item: Interrupt,
  draft: AnswerDraft,
): AnswerProblems {
  const { edits, problems } = editsOf(item, draft);
  if (Object.keys(edits).length > 0) answer.edits = edits;
  return needsReason(item, 'approve') && !answer.comment
    ? { ...problems, comment: 'A comment is needed here: why you approve.' }
    : problems;
}

function fillQuestion(
  answer: InterruptAnswer,
  item: Interrupt,
  draft: AnswerDraft,
): AnswerProblems {
  if (item.kind === 'form') {
    const { values, problems } = readForm(answerFields(item), draft.inputs);
    answer.values = values;
    return problems;
  }
  if (item.kind === 'text') {
    answer.selected = draft.text.trim();
    return answer.selected === '' ? { selected: 'Write an answer.' } : {};
  }
  const ids = (item.request.options ?? [])
    .map((option) => option.id)
    .filter((id) => draft.picked.includes(id));
  if (item.kind === 'multi-choice') answer.choices = ids.map((id) => ({ id }));
  else if (ids[0] !== undefined) answer.choice = { id: ids[0] };
  return ids.length === 0
    ? { selected: item.kind === 'multi-choice' ? 'Pick at least one.' : 'Pick one.' }
    : {};
}

function fillRaise(
  answer: InterruptAnswer,
  { request }: Interrupt,
  draft: AnswerDraft,
): AnswerProblems {
  const problems: AnswerProblems = {};
  const usd = draft.limitUsd.trim();
  const tokens = draft.limitTokens.trim();
  if (usd !== '') {
    const read = readNumber(usd, { unit: 'USD' });
    if ('problem' in read) problems.limitUsd = read.problem;
    else if (compareDecimal(read.text, request.limit_usd ?? '0') <= 0)
      problems.limitUsd = 'The new limit must be more than the old one.';
    else answer.max_cost_usd = read.text;
  }
  if (tokens !== '') {
    const read = readNumber(tokens, { isWhole: true });
    if ('problem' in read) problems.limitTokens = read.problem;
    else if (read.value <= (request.limit_tokens ?? 0))
      problems.limitTokens = 'The new limit must be more than the old one.';
    else answer.max_tokens = read.value;
  }
  return usd === '' && tokens === ''
    ? { [request.limit_usd ? 'limitUsd' : 'limitTokens']: 'Write the new limit.' }
    : problems;
}

/** What later steps read of a call that happened: the value, or status and body of a request. */
function fillResult(answer: InterruptAnswer, item: Interrupt, draft: AnswerDraft): AnswerProblems {
  const { value, problem } = readOutcome(draft.result);
  if (problem !== null) return { result: problem };
  if (!isRequest(item)) {
    if (value !== null) answer.result = value;
    return {};
  }
  const status = readStatus(draft.resultStatus);
  if (status === null)
    return { resultStatus: 'A status from 200 to 399. If it refused, send it again or skip.' };
  answer.result = { status, headers: {}, body: value, url: item.request.url ?? '' };
  return {};
}

/** The first verb of an item: what `Mod+Enter` sends. */
export function mainVerb(item: Interrupt): Verb {
  if (item.kind === 'approval') return 'approve';
  if (item.kind === 'budget') return 'raise';
  if (item.kind !== 'in_doubt') return 'send';
  return mayHaveHappened(item) ? 'happened' : 'retry';
}
