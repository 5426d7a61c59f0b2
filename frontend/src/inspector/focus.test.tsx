// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import {
  fieldAt,
  placeInside,
  requestFocus,
  requestNew,
  useFieldFocus,
  useOpenFor,
} from './focus.ts';

function Panel() {
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useFieldFocus(panel);
  useOpenFor(
    (path) => path.startsWith('config'),
    () => setOpen(true),
  );
  return (
    <div ref={panel}>
      <div data-field="read_keys">
        <button type="button" disabled />
        <input type="hidden" />
        <button type="button">Keys</button>
      </div>
      <div data-field="inputs">
        <input type="radio" aria-label="Table" defaultChecked />
        <input aria-label="Name of cv" />
        <input aria-label="New" data-field-new />
      </div>
      <div data-field="trigger">
        <input type="radio" aria-label="Always" />
        <input type="radio" aria-label="On choice" defaultChecked />
      </div>
      {open ? (
        <div data-field="config.prompt">
          <input aria-label="Prompt" defaultValue="Hi" />
        </div>
      ) : null}
    </div>
  );
}

Element.prototype.scrollIntoView = () => undefined;
afterEach(cleanup);

test.each([
  ['nodes[2].config.prompt', 'config.prompt'],
  ['edges.0.when', 'when'],
  ['/nodes/1', ''],
  ['limits.budget_usd', 'limits.budget_usd'],
])('%s lies at "%s" inside its part', (path, place) => {
  expect(placeInside(path)).toBe(place);
});

test('the nearest field around a path is found, and none beside it', () => {
  const panel = document.createElement('div');
  panel.innerHTML =
    '<p data-field="config"><p data-field="config.tools"></p></p><p data-field="config.tool"></p>';
  const found = (path: string) => fieldAt(panel, path)?.dataset['field'];

  expect(found('config.tools.1.name')).toBe('config.tools');
  expect(found('config.other')).toBe('config');
  expect(found('budget')).toBeUndefined();
});

test('a request opens the group of the field, then puts the cursor into it', async () => {
  render(<Panel />);
  expect(screen.queryByRole('textbox', { name: 'Prompt' })).toBeNull();
  requestFocus('nodes[0].config.prompt');

  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Prompt' });
  await waitFor(() => expect(field).toHaveFocus());
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 2]);
});

test('a field without text gives the focus to its first button that works', async () => {
  render(<Panel />);
  requestFocus('nodes[0].read_keys');

  await waitFor(() => expect(screen.getByRole('button', { name: 'Keys' })).toHaveFocus());
});

test.each([
  ['where one types, not to the choice of a view', requestFocus, 'inputs', 'Name of cv'],
  ['to the row of new fields where one is asked for', requestNew, 'inputs', 'New'],
  ['to what is chosen where nothing is typed', requestFocus, 'trigger', 'On choice'],
])('the cursor goes %s', async (_, ask, path, label) => {
  render(<Panel />);
  ask(path);

  await waitFor(() => expect(screen.getByLabelText(label)).toHaveFocus());
});
