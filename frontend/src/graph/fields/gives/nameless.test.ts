import { expect, it } from 'vitest';
import { toRecords } from '../../document/document.ts';
import { nodeType } from '../../document/testing.ts';
import { namelessBefore, withAnswerNamed } from './nameless.ts';

const node = (id: string, more: object = {}) => ({ id, type: 'agent', ...more });
const draft = (defaults: object = {}) =>
  toRecords({
    graphwright: 1,
    id: 'g',
    nodes: [
      node('extract'),
      node('level', { write_keys: ['level'] }),
      node('route', { type: 'router' }),
      node('review', { type: 'approval' }),
      node('after'),
    ],
    edges: ['extract>level', 'level>route', 'route>review', 'review>after'].map((text) => {
      const [source = '', target = ''] = text.split('>');
      return { id: text, source, target };
    }),
    state_schema: { type: 'object', properties: { level: { type: 'string', enum: ['a'] } } },
    defaults,
  });
const quiet = (type: string) => ({ ...nodeType(type), writes_data: false });
const types = new Map(
  [nodeType('agent'), quiet('router'), quiet('approval')].map((type) => [type.type, type]),
);
const found = (records = draft()) => namelessBefore(records, types, 'review').map(({ id }) => id);

it('a step before that gives an answer alone has no name for it', () => {
  expect(found()).toEqual(['extract']);
  expect(found(draft({ write_keys: ['level'] }))).toEqual([]);
});

it('its answer gets a name: one row of what it gives, and nobody asks again', () => {
  const fresh = withAnswerNamed(draft(), 'extract', 'summary');
  expect(fresh.nodes.get('extract')?.write_keys).toEqual(['summary']);
  expect(fresh.settings.state_schema?.properties?.['summary']).toEqual({ type: 'string' });
  expect(found(fresh)).toEqual([]);
});

it('takes a field of that name as it is', () => {
  const known = withAnswerNamed(draft(), 'extract', 'level');
  expect(known.nodes.get('extract')?.write_keys).toEqual(['level']);
  expect(known.settings).toEqual(draft().settings);
});
