import { describe, expect, it } from 'vitest';
import { typedFields, unknownKind } from './typed.ts';

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

  it('have the kind that people of other tools call it', () => {
    expect(
      shapes('skills: list, tags: Array of strings, years: int, ok: bool, who: object'),
    ).toEqual({
      skills: { type: 'array', items: { type: 'string' } },
      tags: { type: 'array', items: { type: 'string' } },
      years: { type: 'number' },
      ok: { type: 'boolean' },
      who: { type: 'object', properties: {} },
    });
    expect(shapes('n: list of numbers').n?.items).toEqual({ type: 'number' });
  });

  it('tell a kind that there is not', () => {
    expect(unknownKind('a: text, b: quux, c')).toBe('quux');
    expect(unknownKind('a, b: x | y, c: list of dates')).toBe('');
    expect(unknownKind('a: list of quux')).toBe('list of quux');
  });

  it('keep what cannot be told apart as a name, as before', () => {
    expect(typedFields('ratio: high').map(({ name }) => name)).toEqual(['ratio_high']);
    expect(typedFields(': x').map(({ name }) => name)).toEqual(['x']);
  });
});
