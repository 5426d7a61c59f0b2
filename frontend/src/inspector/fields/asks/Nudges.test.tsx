// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../api/types/types.ts';
import { serve, show, stubBrowser } from '../../../store/testing.tsx';
import { AskRules } from './AskRules.tsx';

vi.setConfig({ testTimeout: 20_000 });

const HOUR = 3_600_000;
let stored: Record<string, JsonObject> | undefined;

function rules(rule: JsonObject) {
  serve({
    'GET members/': { results: [], next: null },
    'GET groups/': {
      results: [{ id: 'g', name: 'auditors', members: [], used_by: [] }],
      next: null,
    },
  });
  function Host() {
    const [given, set] = useState<Record<string, JsonObject>>({ pay: rule });
    return (
      <AskRules
        rules={given}
        tools={['pay']}
        known={[]}
        readOnly={false}
        problem={() => undefined}
        onChange={(next) => {
          stored = next;
          set(next ?? {});
        }}
      />
    );
  }
  show(<Host />);
  fireEvent.click(screen.getByRole('button', { name: 'Choose who decides on pay' }));
  return within(screen.getByRole('group', { name: 'While nobody decides on pay' }));
}

beforeEach(() => {
  stubBrowser();
  stored = undefined;
});
afterEach(cleanup);

it('a rule reminds in the words of an approval, and stores nothing else', () => {
  const part = rules({ when: 'always' });

  fireEvent.click(part.getByRole('button', { name: 'Remind' }));
  const after = part.getByLabelText('Remind after');
  fireEvent.change(after, { target: { value: '4 h' } });
  fireEvent.blur(after);

  expect(stored).toEqual({ pay: { when: 'always', reminders: [4 * HOUR] } });
  expect(part.getByRole('button', { name: 'after 4 h' })).toBeVisible();
});

it('a rule asks others later: a group that has nobody today, and by no expression', async () => {
  const part = rules({ when: 'always' });

  fireEvent.click(part.getByRole('button', { name: 'Ask others later' }));
  expect(part.queryByRole('button', { name: 'By an expression' })).toBeNull();
  fireEvent.click(await part.findByRole('option', { name: /auditors/ }));

  const escalation = { after_ms: 24 * HOUR, to: ['group:auditors'] };
  expect(stored).toEqual({ pay: { when: 'always', escalation } });
  expect(part.getByRole('button', { name: 'auditors too after 1 day' })).toBeVisible();
  expect(part.getByText(/nobody is in it today\)/)).toBeVisible();
});

it('what a rule says already stands there as a sentence', () => {
  const escalation = { after_ms: 2 * HOUR, to: ['role:admin'] };
  const part = rules({ when: 'first', reminders: [HOUR], escalation });

  expect(part.getByText(/Reminds/)).toHaveTextContent(
    'Reminds after 1 h. Asks admins too after 2 hours.',
  );
});
