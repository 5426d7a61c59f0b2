import { describe, expect, it } from 'vitest';
import type { Interrupt, InterruptKind, InterruptRequest } from '../../../api/types/types.ts';
import { decidedText } from '../names.ts';
import {
  type AnswerDraft,
  answerFields,
  buildAnswer,
  editsOf,
  emptyDraft,
  mainVerb,
  othersFields,
  suggestedLimit,
  withReason,
  withoutReason,
} from './answer.ts';
import { untouched } from '../testing.ts';

function item(kind: InterruptKind, request: InterruptRequest): Interrupt {
  return {
    ...untouched,
    request_id: 'human-1',
    run: {
      id: 'r',
      title: '',
      graph: { id: 'g', slug: 'g', name: 'G' },
      started_by: null,
      is_test: false,
    },
    node: 'n',
    node_label: 'N',
    key: 'n#1',
    kind,
    status: 'open',
    opened_at: '',
    expires_at: null,
    request,
    content_hash: 'abc',
    resume_token: 'tok',
    can_decide: true,
    decided: null,
    spend_usd: '0',
  };
}

const approval = item('approval', {
  prompt: 'Refund?',
  data: { usd: 39, reply: 'Sorry', tags: ['a'], secret: 'x' },
  editable_keys: ['usd', 'reply', 'tags'],
  edit_schema: {
    type: 'object',
    properties: {
      usd: { type: 'number', maximum: 100 },
      reply: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
  require_reason: 'reject',
});

describe('an approval', () => {
  it('takes no reason for a rejection along, and a rejection no other word', () => {
    const turned = withReason({ ...emptyDraft(approval), comment: 'Agreed' });
    expect(turned.reason).toBe('Agreed');
    const written = { ...turned, reason: 'The sum is wrong' };
    const left = withoutReason(approval, written);

    expect(left.reason).toBe('The sum is wrong');
    expect(buildAnswer(approval, 'approve', left).answer?.comment).toBe('Agreed');
    expect(buildAnswer(approval, 'reject', withReason(left)).answer?.comment).toBe(
      'The sum is wrong',
    );
    expect(withoutReason(approval, turned).reason).toBe('');
    expect(withoutReason(approval, { ...turned, reason: 'Not needed any more' }).reason).toBe('');
  });

  it('sends no edits when nothing was changed, and binds the content (C96)', () => {
    expect(buildAnswer(approval, 'approve', emptyDraft(approval)).answer).toEqual({
      token: 'tok',
      content_hash: 'abc',
      decision: 'approved',
    });
  });

  it('asks in the order in which the item shows it, and for nothing of the start', () => {
    const data = { 'input.cv': 'CV', letter: 'Dear\nAda', sum: 12.5 };
    const every = item('approval', { data, editable_keys: ['*'] });
    const some = { letter: {}, sum: { type: 'number' } };
    const typed = { data, editable_keys: ['letter', 'sum'], edit_schema: { properties: some } };
    const names = (asked: Interrupt) => answerFields(asked).map(({ name }) => name);

    expect(names(every)).toEqual(['sum', 'letter']);
    expect(names(item('approval', typed))).toEqual(['sum', 'letter']);
  });

  it("edits only what is one's own, and shows what is others' (C95)", () => {
    const narrowed = { ...approval, not_mine_to_edit: { usd: ['finance'] } };

    expect(answerFields(narrowed).map(({ name }) => name)).toEqual(['reply', 'tags']);
    expect(othersFields(narrowed).map(({ name }) => name)).toEqual(['usd']);
    expect(othersFields(approval)).toEqual([]);
    expect(editsOf(narrowed, { ...emptyDraft(narrowed), inputs: { usd: '9' } }).edits).toEqual({});
  });

  it('says in whose place it is decided only where somebody chose it', () => {
    const draft = { ...emptyDraft(approval), place: 'raul' };

    expect(buildAnswer(approval, 'reject', { ...draft, reason: 'no' }).answer).toMatchObject({
      decision: 'rejected',
      stands_for: 'raul',
    });
    expect(decidedText({ by: 'Rita', stands_for: 'Raul', decision: 'approved' })).toBe(
      'Rita, for Raul, approved this',
    );
  });

  it('sends only what was changed, and a number stays a number (C95)', () => {
    const draft = emptyDraft(approval);
    const { answer } = buildAnswer(approval, 'approve', {
      ...draft,
      inputs: { ...draft.inputs, usd: '20.5' },
      comment: ' less ',
    });

    expect(answer).toMatchObject({ edits: { usd: 20.5 }, comment: 'less' });
  });

  it('offers only the keys that may be edited', () => {
    expect(answerFields(approval).map((field) => [field.name, field.kind])).toEqual([
      ['usd', 'number'],
      ['reply', 'text'],
      ['tags', 'texts'],
    ]);
  });

  it('says what is wrong with an edit before anything is sent', () => {
    const draft = emptyDraft(approval);

    expect(
      editsOf(approval, { ...draft, inputs: { ...draft.inputs, usd: 'many' } }).problems,
    ).toEqual({ usd: 'Write a number such as 1,087.06.' });
    expect(
      editsOf(approval, { ...draft, inputs: { ...draft.inputs, usd: '101' } }).problems,
    ).toEqual({ usd: 'At most 100.' });
  });

  it('reads a sum as it is written here, and never as another one', () => {
    const draft = emptyDraft(approval);
    const edited = (usd: string) =>
      editsOf(approval, { ...draft, inputs: { ...draft.inputs, usd } });

    expect(edited('$12.50').edits).toEqual({ usd: 12.5 });
    expect(edited('1,2').problems.usd).toContain('Did you mean 1.2?');
    expect(edited('1e1').edits).toEqual({});
    expect(edited('1,087.06').problems).toEqual({ usd: 'At most 100.' });
  });

  it('holds a text against its format once somebody edits it', () => {
    const due = item('approval', {
      data: { due: 'soon', usd: 1 },
      editable_keys: ['due', 'usd'],
      edit_schema: { properties: { due: { type: 'string', format: 'date' } } },
    });
    const draft = emptyDraft(due);
    const edited = (inputs: object) =>
      editsOf(due, { ...draft, inputs: { ...draft.inputs, ...inputs } });

    expect(edited({ usd: '2' })).toEqual({ edits: { usd: 2 }, problems: {} });
    expect(edited({ due: 'tomorrow' }).problems).toEqual({
      due: 'Write a date such as 2026-12-01.',
    });
    expect(edited({ due: '2026-12-01' }).edits).toEqual({ due: '2026-12-01' });
  });

  it('asks for a reason where one is required', () => {
    const draft = emptyDraft(approval);

    expect(buildAnswer(approval, 'reject', draft).problems).toHaveProperty('comment');
    expect(buildAnswer(approval, 'reject', { ...draft, reason: 'Too much' }).answer).toMatchObject({
      decision: 'rejected',
      comment: 'Too much',
    });
  });

  it('types its inputs by the values when there is no schema', () => {
    const bare = item('approval', {
      data: { count: 2, ok: true, parts: { a: 1 } },
      editable_keys: ['count', 'ok', 'parts'],
    });

    expect(answerFields(bare).map((field) => field.kind)).toEqual(['number', 'boolean', 'json']);
  });
});

describe('questions (I6, I23)', () => {
  const options = [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ];

  it('sends text, trimmed, and refuses blank text', () => {
    const question = item('text', { question: 'Why?' });

    expect(
      buildAnswer(question, 'send', { ...emptyDraft(question), text: ' so ' }).answer,
    ).toMatchObject({ selected: 'so' });
    expect(buildAnswer(question, 'send', emptyDraft(question)).problems).toEqual({
      selected: 'Write an answer.',
    });
  });

  it('sends one choice by id', () => {
    const question = item('choice', { question: 'Which?', options });

    expect(
      buildAnswer(question, 'send', { ...emptyDraft(question), picked: ['b'] }).answer,
    ).toMatchObject({ choice: { id: 'b' } });
    expect(buildAnswer(question, 'send', emptyDraft(question)).problems).toEqual({
      selected: 'Pick one.',
    });
  });

  it('sends several choices in the order of the options', () => {
    const question = item('multi-choice', { question: 'Which?', options, multiple: true });

    expect(
      buildAnswer(question, 'send', { ...emptyDraft(question), picked: ['b', 'a'] }).answer,
    ).toMatchObject({ choices: [{ id: 'a' }, { id: 'b' }] });
  });

  it('sends typed values of a form and names the fields that are missing', () => {
    const question = item('form', {
      schema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          age: { type: 'integer' },
          plan: { enum: ['s', 'l'], default: 's' },
          ok: { type: 'boolean' },
        },
      },
    });
    const draft = emptyDraft(question);

    expect(buildAnswer(question, 'send', draft).problems).toEqual({ name: 'This is needed.' });
    expect(
      buildAnswer(question, 'send', {
        ...draft,
        inputs: { ...draft.inputs, name: 'Ada', age: '36' },
      }).answer?.values,
    ).toEqual({ name: 'Ada', age: 36, plan: 's', ok: false });
  });

  it('cancels the run on request (I9)', () => {
    const question = item('text', { question: 'Why?' });

    expect(buildAnswer(question, 'cancel', emptyDraft(question)).answer).toMatchObject({
      cancel: true,
    });
  });
});

describe('budget and in doubt', () => {
  const budget = item('budget', {
    level: 'run',
    limit_usd: '0.02',
    spent_usd: '0.0110',
    held_usd: '0.001',
    asked_usd: '0.012',
  });

  it('proposes the smallest whole cent that fits (C45)', () => {
    expect(suggestedLimit(budget)).toBe('0.03');
  });

  it('raises to a new limit and refuses one that is not more', () => {
    const draft = emptyDraft(budget);

    expect(buildAnswer(budget, 'raise', draft).answer).toMatchObject({
      decision: 'raise',
      max_cost_usd: '0.03',
    });
    expect(buildAnswer(budget, 'raise', { ...draft, limitUsd: '0.02' }).problems).toHaveProperty(
      'limitUsd',
    );
    expect(buildAnswer(budget, 'stop', draft).answer).toMatchObject({ decision: 'stop' });
  });

  it('proposes tokens where only they are capped, and asks for that field', () => {
    const tokens = item('budget', {
      level: 'run',
      limit_usd: null,
      limit_tokens: 1500,
      spent_tokens: 1210,
      held_tokens: 0,
      asked_tokens: 412,
      asked_usd: '0',
    });
    const draft = emptyDraft(tokens);

    expect(draft).toMatchObject({ limitUsd: '', limitTokens: '1700' });
    expect(buildAnswer(tokens, 'raise', draft).answer).toMatchObject({
      decision: 'raise',
      max_tokens: 1700,
    });
    expect(buildAnswer(tokens, 'raise', { ...draft, limitTokens: '' }).problems).toHaveProperty(
      'limitTokens',
    );
  });

  it('takes what a call that happened answered, as JSON or as words', () => {
    const doubt = item('in_doubt', { reason: 'unknown_outcome' });
    const said = (result: string) =>
      buildAnswer(doubt, 'happened', { ...emptyDraft(doubt), result });

    expect(said('{"id": 7}').answer).toMatchObject({ decision: 'happened', result: { id: 7 } });
    expect(said('booked').answer).toMatchObject({ result: 'booked' });
    expect(said(' ').answer).not.toHaveProperty('result');
    expect(said('{"id": 7').problems).toHaveProperty('result');
    expect(buildAnswer(doubt, 'retry', emptyDraft(doubt)).answer).toMatchObject({
      decision: 'retry',
    });
    expect(mainVerb(doubt)).toBe('happened');
  });

  it('makes of a request that happened what later steps read of one', () => {
    const url = 'https://bank.example/pay';
    const doubt = item('in_doubt', { reason: 'unknown_outcome', method: 'POST', url });
    const said = (more: Partial<AnswerDraft>) =>
      buildAnswer(doubt, 'happened', { ...emptyDraft(doubt), ...more });

    expect(said({ result: '{"id": 7}', resultStatus: '201' }).answer).toMatchObject({
      result: { status: 201, headers: {}, body: { id: 7 }, url },
    });
    expect(said({}).answer).toMatchObject({ result: { status: 200, body: null } });
    expect(said({ resultStatus: '404' }).problems).toHaveProperty('resultStatus');
  });

  it('offers no outcome where no call was sent', () => {
    expect(mainVerb(item('in_doubt', { reason: 'code_changed' }))).toBe('retry');
  });
});
