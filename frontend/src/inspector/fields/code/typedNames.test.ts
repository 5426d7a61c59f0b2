import { expect, it } from 'vitest';
import { changeTo } from './putting.ts';
import { typedGrants } from './typedNames.ts';

const locked = (name: string, grant = name) => ({ name, grant, detail: '', readable: false });
const names = [
  locked('input'),
  locked('input.name'),
  { ...locked('memory.level', 'level'), readable: true },
  locked("outputs['x-1']", 'outputs.x-1'),
];

it.each([
  ['expression', 'input.name + "!"', null, ['input.name']],
  ['expression', 'input.name.size()', null, ['input.name']],
  ['expression', "'input.name'", null, []],
  ['expression', 'memory.level', null, []],
  ['expression', "outputs['x-1'] == 1", null, ['outputs.x-1']],
  ['template', 'Dear input.name', null, []],
  ['template', 'Dear {{ input.name }}, {{ input.name', null, ['input.name']],
  ['expression', 'input.name', 10, []],
  ['expression', 'input.name == 1', 15, ['input.name']],
])('%s %s at %s lets read %j', (language, text, cursor, grants) => {
  expect(typedGrants(language, text, names, cursor)).toEqual(grants);
});

it('changes of others leave the place of the cursor alone', () => {
  expect(changeTo('Hello world', 'Hello big world')).toEqual({ from: 6, to: 6, insert: 'big ' });
  expect(changeTo('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' });
});
