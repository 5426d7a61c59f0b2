// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../../../api/types/types.ts';
import { loadDraft, serve, show, stubBrowser } from '../../../store/testing.tsx';
import { SchemaForm } from '../../form/SchemaForm.tsx';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    timeout_ms: { type: 'integer', minimum: 1, default: 86_400_000, 'x-widget': 'duration' },
    policy: {
      type: 'object',
      title: 'Who decides',
      'x-widget': 'policy',
      'x-beside': ['timeout_ms'],
      properties: { rule: {}, eligible: {}, later: { type: 'string' } },
    },
  },
};
const who = {
  can: [{ id: '1', name: 'Rita' }],
  can_total: 1,
  away: [{ absent: { id: 'r', name: 'Rita' }, to: { id: 's', name: 'Sam' }, until: '2031-11-30' }],
  later: [],
  later_total: 0,
  cannot: [{ id: '2', name: 'Ada', why: 'four eyes', rule: 'starter' }],
  cannot_total: 1,
  strangers: ['group:nope'],
  computed: [],
  met: false,
  looked_at: 2,
  members: 2,
};
const members = ['finance', 'legal'].map((group) => ({
  id: group,
  user: { id: `u-${group}`, name: `${group} person`, email: `${group}@x.test` },
  role: 'reviewer',
  groups: [group],
}));

let stored: JsonObject;
let edits = 0;

/** Show the form of a config, and follow what it stores. */
async function form(config: JsonObject) {
  loadDraft();
  const calls = serve({
    'GET members/': { results: members, next: null },
    'GET session/': { user: { id: 'u-legal' }, workspace: null },
    'POST approvals/who/': who,
  });
  stored = config;
  edits = 0;
  function Host() {
    const [value, setValue] = useState(config);
    return (
      <SchemaForm
        schema={schema}
        value={value}
        path="config"
        onChange={(next) => {
          stored = next;
          edits += 1;
          setValue(next);
        }}
      />
    );
  }
  show(<Host />);
  await screen.findByRole('group', { name: 'Who decides' });
  return calls;
}
const open = (words: string | RegExp) =>
  fireEvent.click(screen.getByRole('button', { name: words }));

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const full = {
  veto: true,
  rule: { at_least: 2 },
  eligible: ['group:finance', 'group:nope', '=memory.owner'],
  four_eyes: ['starter'],
  require_reason: 'always',
  reminders: [5, 86_400_000],
  escalation: { to: 'group:legal', after_ms: 187_200_001 },
  confirm: 'type',
  later: 'kept',
};

it('a policy that is opened part by part and left is the same to the byte', async () => {
  await form({ policy: full, timeout_ms: 7 });
  const parts = [...document.querySelectorAll('[data-slot]')];
  expect(parts.length).toBe(9);

  for (const part of parts) {
    const slot = part.getAttribute('data-slot') ?? '';
    fireEvent.click(document.querySelector(`[data-slot="${slot}"]`) as Element);
    const panel = document.querySelector('[role="group"] [role="group"]');
    expect(panel).not.toBeNull();
    for (const input of panel?.querySelectorAll('input') ?? []) fireEvent.blur(input);
    fireEvent.keyDown(panel as Element, { key: 'Escape' });
  }

  expect(edits).toBe(0);
});

it('an edit patches its property, and the deadline beside it', async () => {
  await form({ policy: full, timeout_ms: 7 });
  open('2');
  fireEvent.click(screen.getByRole('radio', { name: 'Everyone' }));
  expect(JSON.stringify(stored)).toBe(
    JSON.stringify({ policy: { ...full, rule: 'all' }, timeout_ms: 7 }),
  );

  open(/legal too after/);
  const wait = screen.getByRole('textbox', { name: /If nobody decided for/ });
  fireEvent.change(wait, { target: { value: '1 h' } });
  fireEvent.blur(wait);
  expect(JSON.stringify((stored['policy'] as JsonObject)['escalation'])).toBe(
    '{"to":"group:legal","after_ms":3600000}',
  );

  open(/7 milliseconds, it counts as rejected/);
  const late = screen.getByRole('textbox', { name: /If nobody decides for/ });
  fireEvent.change(late, { target: { value: '3 d' } });
  fireEvent.keyDown(late, { key: 'Enter' });
  expect(stored['timeout_ms']).toBe(259_200_000);
});

it('groups are typed with commas; who is not there is told, and kept only if one says so', async () => {
  await form({});
  open('all reviewers');
  const box = screen.getByRole('combobox', { name: 'Who may decide' });
  expect(box).toHaveFocus();
  await screen.findByRole('option', { name: /^financegroup/ });
  fireEvent.change(box, { target: { value: 'finance, legal, group:leads' } });
  fireEvent.blur(box);

  expect(stored).toEqual({ policy: { eligible: ['group:finance', 'group:legal'] } });
  expect(screen.getByRole('alert')).toHaveTextContent('Nobody here is in the group “leads”.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep it all the same' }));
  expect(stored).toEqual({ policy: { eligible: ['group:finance', 'group:legal', 'group:leads'] } });

  fireEvent.click(screen.getByLabelText('Remove finance'));
  fireEvent.keyDown(box, { key: 'Backspace' });
  fireEvent.keyDown(box, { key: 'Backspace' });
  expect(stored).toEqual({});
});

it('says who could decide today, and asks nothing that the server would refuse', async () => {
  const calls = await form({ policy: { four_eyes: ['starter'] } });
  const status = await screen.findByRole('status');
  expect(status).toHaveTextContent('Can decide today Rita');
  expect(status).toHaveTextContent('These are not enough to approve it.');
  expect(status).toHaveTextContent('Rita is away until 30 Nov 2031: Sam decides meanwhile');
  expect(status).toHaveTextContent('Not Ada, who started it');
  expect(status).toHaveTextContent('Nobody here is in the group nope');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    policy: { four_eyes: ['starter'] },
    graph: 'g1',
  });
  cleanup();

  const none = await form({ policy: { eligible: ['finance'] } });
  await screen.findByText('finance');
  expect(none.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('reminders are added and removed one at a time', async () => {
  await form({});
  open('Remind');
  const first = screen.getByLabelText('Remind after');
  fireEvent.change(first, { target: { value: '1 d' } });
  fireEvent.blur(first);
  open('Another reminder');
  const second = screen.getByLabelText('Remind after 2');
  fireEvent.change(second, { target: { value: '2 d' } });
  fireEvent.blur(second);
  expect(stored).toEqual({ policy: { reminders: [86_400_000, 172_800_000] } });

  fireEvent.click(screen.getByLabelText('Remove reminder 1'));
  expect(stored).toEqual({ policy: { reminders: [172_800_000] } });
  fireEvent.click(screen.getByLabelText('Remove reminder 1'));
  expect(stored).toEqual({});
});

it('what no sentence says is shown as written', async () => {
  loadDraft();
  show(
    <SchemaForm
      schema={schema}
      value={{ policy: { rule: 'most' } as Json }}
      path="config"
      onChange={() => (edits += 1)}
    />,
  );

  expect(await screen.findByText(/shown as written/)).toBeInTheDocument();
  expect(within(document.body).queryByText(/Approved when/)).toBeNull();
});

it('who asks for a reason has asked for one with that click', async () => {
  await form({});
  open(/Ask for a reason/);

  expect(stored['policy']).toEqual({ require_reason: 'reject' });
});
