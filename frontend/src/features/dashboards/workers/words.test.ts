import { describe, expect, it } from 'vitest';
import { processName } from '../../../api/http/boards.ts';
import { duties, elsewhere, heldBy, heldWords, restingWords, standing, versions } from './words.ts';

const seen = '2026-11-23T10:00:00Z';

describe('processes in words', () => {
  it('says what each does', () => {
    expect(['web', 'worker', 'serve'].map(duties)).toEqual([
      'Serves pages',
      'Executes runs',
      'Serves pages and executes runs',
    ]);
  });

  it('names them for who may know, and shortly for others', () => {
    expect(processName({ id: 'abcdefghij', host: 'box', pid: 7 })).toBe('box, process 7');
    expect(processName({ id: 'abcdefghij', host: '', pid: null })).toBe('Process abcdefgh');
  });

  it('tells the runs that may be listed from those of other workspaces', () => {
    expect(heldBy('box:7')).toBe('/runs?worker=box%3A7');
    expect(elsewhere({ runs: 5, runs_here: 2 })).toBe('and 3 of other workspaces');
    expect(elsewhere({ runs: 2, runs_here: 2 })).toBe('');
    expect(heldWords(3, 3)).toBe('a process keeps them, running or not');
    expect(heldWords(3, 5)).toBe('a process keeps them, running or not · 5 in all workspaces');
    expect(elsewhere({ runs: null, runs_here: 2 })).toBe('');
    expect(restingWords(1)).toBe('1 more waits for a person or a time');
    expect(restingWords(2)).toBe('2 more wait for a person or a time');
  });

  it('tells one that ends from one that is silent', () => {
    const of = (alive: boolean, draining = false, seen_at = seen) =>
      standing({ alive, draining, seen_at });
    expect(of(true)).toBe('alive');
    expect(of(true, true)).toBe('ending');
    expect(of(false, true)).toBe('silent');
    expect(of(false, false, '1970-01-01T00:00:00Z')).toBe('ended');
  });

  it('counts the versions of those alone that are there', () => {
    const all = [
      { alive: true, version: '2' },
      { alive: true, version: '1' },
      { alive: true, version: '2' },
      { alive: false, version: '0' },
    ];
    expect(versions(all)).toEqual(['1', '2']);
  });
});
