import { expect, test } from 'vitest';
import { keysOf, readNarrowed, withEditors } from './narrowed.ts';

test('only people by key are read as such', () => {
  expect(readNarrowed(undefined)).toEqual({});
  expect(readNarrowed({ sum: ['group:finance'] })).toEqual({ sum: ['group:finance'] });
  expect(readNarrowed({ sum: 'group:finance' })).toBeNull();
  expect(readNarrowed(['sum'])).toBeNull();
});

test('a key without people is for everybody again, and none at all is not written', () => {
  const one = withEditors({}, 'sum', ['group:finance', '=memory.who']);
  expect(one).toEqual({ sum: ['group:finance'] });
  expect(withEditors(one ?? {}, 'note', ['user:ann'])).toEqual({
    sum: ['group:finance'],
    note: ['user:ann'],
  });
  expect(withEditors(one ?? {}, 'sum', [])).toBeUndefined();
});

test('shown are the editable keys, and those that are named without being editable', () => {
  expect(keysOf({ old: ['role:admin'] }, ['sum', '*'])).toEqual(['sum', 'old']);
});
