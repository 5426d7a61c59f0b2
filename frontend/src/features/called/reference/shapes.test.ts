import { expect, test } from 'vitest';
import { matching, operationsOf, written } from './shapes.ts';

const schema = {
  paths: {
    '/api/runs/{run_id}/': {
      get: {
        operationId: 'run',
        description: 'Return the run.',
        parameters: [{ name: 'run_id', in: 'path', required: true }],
        responses: {
          '200': {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } },
          },
          '404': {},
        },
      },
    },
    '/api/budgets/': { post: { description: 'Set a limit.' }, get: {} },
  },
  components: {
    schemas: {
      Run: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          state: { enum: ['open', 'over'] },
          below: { type: 'array', items: { $ref: '#/components/schemas/Run' } },
          ended: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
    },
  },
};

test('operations stand by resource, with what they answer when they succeed', () => {
  const found = operationsOf(schema);

  expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/budgets/',
    'POST /api/budgets/',
    'GET /api/runs/{run_id}/',
  ]);
  expect(found[2]?.answers.map(({ status }) => status)).toEqual(['200']);
  expect(matching(found, 'post limit')).toEqual([found[1]]);
});

test('a shape is written as deep as one reads, also where it holds itself', () => {
  const text = written({ $ref: '#/components/schemas/Run' }, schema);

  expect(text).toMatch(/^\{\n {2}id: string\n {2}state\?: "open" \| "over"\n {2}below\?: \{/);
  expect(text).toContain('ended?: string | null');
  expect(text.length).toBeLessThan(2000);
});
