import { expect, it } from 'vitest';
import { humanise, labelFor } from './field.ts';

it.each([
  ['fallback_agent_id', 'Fallback agent'],
  ['tool_ids', 'Tools'],
  ['timeout_ms', 'Timeout'],
  ['base_url', 'Base URL'],
  ['max-items', 'Max items'],
])('the name %s reads as %s', (name, words) => {
  expect(humanise(name)).toBe(words);
});

it('a label is the title that somebody wrote, not one made from the name or the code', () => {
  expect(labelFor('undo', { title: 'Undo with' })).toBe('Undo with');
  expect(labelFor('max_items', { title: 'Max Items' })).toBe('Max items');
  expect(labelFor('compensation', { title: 'ToolUndo' })).toBe('Compensation');
  expect(labelFor('goal', {})).toBe('Goal');
});
