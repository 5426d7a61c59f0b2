import { describe, expect, it } from 'vitest';
import { typedFields } from './typed.ts';

const shapes = (typed: string) =>
  Object.fromEntries(typedFields(typed).map(({ name, property }) => [name, property]));

describe('fields as they are typed', () => {
  it('are texts without more, whatever stands between them', () => {
    expect(typedFields('name, cv;role').map(({ name }) => name)).toEqual(['name', 'cv', 'role']);
    expect(shapes('name')).toEqual({ name: { type: 'string' } });
    expect(typedFields(' , ,')).toEqual([]);
    expect(typedFields('a, b, a').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('have a kind after a colon, by the word that the list of kinds has', () => {
    expect(shapes('cv: long text, remote: Yes/No, salary:Money')).toEqual({
      cv: { type: 'string', 'x-widget': 'text' },
      remote: { type: 'boolean' },
      salary: { type: 'number', format: 'money', 'x-unit': 'USD' },
    });
  });

  it('are one of the values that are named', () => {
    expect(shapes('level: senior | mid|junior')).toEqual({
      level: { type: 'string', enum: ['senior', 'mid', 'junior'] },
    });
    expect(shapes('size: S/M/L').size?.enum).toEqual(['S', 'M', 'L']);
  });

  it('keep what cannot be told apart as a name, as before', () => {
    expect(typedFields('ratio: high').map(({ name }) => name)).toEqual(['ratio_high']);
    expect(typedFields(': x').map(({ name }) => name)).toEqual(['x']);
  });
});
