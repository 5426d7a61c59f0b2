import { describe, expect, it } from 'vitest';
import type { Interrupt, InterruptKind, InterruptRequest } from '../../../../api/types/types.ts';
import { untouched } from '../../testing.ts';
import { answerFields, editsOf, emptyDraft, hasEdits, ownInputs } from '../answer.ts';

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

describe('a value that is kept apart', () => {
  const $blob = 'a'.repeat(64);
  const large = item('approval', {
    data: { usd: 39, letter: { $blob, bytes: 105_000 }, rows: [{ text: { $blob, bytes: 9 } }] },
    editable_keys: ['*'],
    edit_schema: {
      type: 'object',
      properties: {
        usd: { type: 'number' },
        letter: { type: 'string' },
        rows: { type: 'array', items: { type: 'string' } },
      },
    },
  });
  const whole = {
    ...large,
    request: { ...large.request, data: { usd: 39, letter: 'Dear', rows: ['a'] } },
  };

  it('is no edit and is not sent, also where another field is edited', () => {
    const draft = emptyDraft(large);

    expect(draft.inputs).toEqual({ usd: '39' });
    expect(answerFields(large).map(({ kind }) => kind)).toEqual(['number', 'apart', 'apart']);
    expect(editsOf(large, draft)).toEqual({ edits: {}, problems: {} });
    expect(editsOf(large, { ...draft, inputs: { usd: '40' } }).edits).toEqual({ usd: 40 });
  });

  it('is edited once it is there, from what it is', () => {
    const draft = emptyDraft(large);

    expect(editsOf(whole, draft).edits).toEqual({});
    expect(hasEdits(whole, draft)).toBe(false);
    const written = { ...draft, inputs: { ...draft.inputs, letter: 'Dear all' } };
    expect(editsOf(whole, written).edits).toEqual({ letter: 'Dear all' });
    // opened anew, before it is there again
    expect(editsOf(large, written).problems).toHaveProperty('letter');
    expect(hasEdits(large, written)).toBe(true);
  });

  it('is no field where all that is shown is kept apart', () => {
    const { edit_schema: schema } = large.request;
    const apart = item('approval', {
      data: { $blob, bytes: 70_000 },
      editable_keys: ['usd'],
      edit_schema: schema,
    });

    expect(editsOf(apart, emptyDraft(apart))).toEqual({ edits: {}, problems: {} });
  });

  it('is not kept with what was written while it is as it was', () => {
    const long = 'x'.repeat(5000);
    const shown = { ...large, request: { ...large.request, data: { usd: 39, letter: long } } };

    expect(ownInputs(shown, { usd: '40', letter: long })).toEqual({ usd: '40' });
    expect(ownInputs(shown, { letter: `${long}!` })).toEqual({ letter: `${long}!` });
  });
});
