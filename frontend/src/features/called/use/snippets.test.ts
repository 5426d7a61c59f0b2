import { expect, test } from 'vitest';
import { snippets, toolNameFor } from './snippets.ts';

const called = {
  graphId: 'g1',
  input: { name: "O'Hara", urgent: true, notes: null },
  offer: {
    tool_name: 'refund',
    chat: true,
    published: true,
    model: 'refund',
    address: 'https://flows.example',
    workspace: 'acme',
    inputs: {},
    may_change: true,
  },
};
const text = (id: string) => snippets.find((each) => each.id === id)?.text(called) ?? '';

test('snippets are filled with the address, the workflow and the input of the language', () => {
  expect(text('curl')).toContain('https://flows.example/api/graphs/g1/runs/');
  expect(text('curl')).toContain(String.raw`{"input":{"name":"O'\''Hara"`);
  expect(text('python')).toContain(`{"name": "O'Hara", "urgent": True, "notes": None}`);
  expect(text('openai')).toContain('base_url="https://flows.example/v1"');
  expect(text('openai')).toContain('model="refund"');
  expect(JSON.parse(text('mcp'))).toMatchObject({
    mcpServers: { graphwright: { url: 'https://flows.example/mcp/acme/' } },
  });
});

test('every way that starts a run by HTTP sends a key, so that a repetition is the same run', () => {
  for (const id of ['curl', 'python', 'typescript', 'openai'])
    expect(text(id)).toContain('Idempotency-Key');
});

test('what is refused or fails is told in its words, and the program ends as one that failed', () => {
  expect(text('curl').match(/curl --fail-with-body -sS https/g)).toHaveLength(2);
  for (const each of ['answer.text', "run['error']"]) expect(text('python')).toContain(each);
  expect(text('python').match(/sys\.exit\(/g)).toHaveLength(2);
  for (const each of ['started.text()', 'asked.text()', 'run.error'])
    expect(text('typescript')).toMatch(new RegExp(`throw new Error\\(.*${each.replace('()', '')}`));
});

test('a tool is named after its workflow, in letters that clients take', () => {
  expect(toolNameFor('refund.v2/ä')).toBe('refund-v2--');
  expect(toolNameFor('x'.repeat(80))).toHaveLength(60);
});
