// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useEditor } from '../../../../store/editor.ts';
import { loadDraft, Refused, saved, serve, stubBrowser } from '../../../../store/testing.tsx';
import { useAnnounced } from '../../../../ui/announce.ts';
import { attach, beginTesting, runAlone, startTest, useTesting } from '../testing.ts';
import { startAlone } from './alone.ts';
import { beginTrials, toggleBreakpoint, togglePin, useTrials } from './trials.ts';

const pin = { node: 'a', value: { output: 1 }, changed_at: '' };
const start = { 'PATCH graphs/g1/draft/': saved(1), 'POST graphs/g1/runs/': { id: 'r2' } };

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  loadDraft();
  beginTesting('g1');
});
afterEach(() => {
  useEditor.setState({ graphId: '' });
  vi.unstubAllGlobals();
});

test('breakpoints are kept for the next visit, and runs take those along that are there', async () => {
  const calls = serve({ ...start, 'GET graphs/g1/pins/': [pin] });
  await beginTrials('g1');
  toggleBreakpoint('a');
  toggleBreakpoint('gone');
  await beginTrials('g1');
  expect([...useTrials.getState().breakpoints]).toEqual(['a', 'gone']);

  await startTest();
  const body = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/runs/'))?.body;
  expect(body).toMatchObject({ pins: true, breakpoints: ['a'] });
});

test('what a run gave is pinned, and unpinned again', async () => {
  const calls = serve({
    'GET graphs/g1/pins/': [],
    'POST graphs/g1/pins/': pin,
    'DELETE graphs/g1/pins/a/': {},
  });
  await beginTrials('g1');
  await togglePin('a', 'r1');
  expect(useTrials.getState().pins.get('a')).toEqual(pin);
  expect(calls.at(-1)?.body).toEqual({ node: 'a', run: 'r1' });
  expect(useAnnounced.getState().words).toBe('Its pinned answer stands in for it');
  await togglePin('a', 'r1');
  expect(useTrials.getState().pins.size).toBe(0);
  expect(useAnnounced.getState().words).toBe('Runs for real again');
});

test('a node alone runs on what it found last', async () => {
  const given = { input: 'hi', memory: {}, outputs: {}, previous: 'x' };
  const calls = serve({ ...start, 'GET runs/r1/given/a/': given });
  attach('r1');
  await runAlone('a');

  expect(useTesting.getState().runId).toBe('r2');
  const body = calls.find(({ method, path }) => method === 'POST' && path.endsWith('/runs/'))?.body;
  expect(body).toEqual({ draft: true, only: 'a', given });
});

test('a second node alone runs on what it found in the whole run before', async () => {
  const given = { input: 'hi', memory: { skills: ['COBOL'] }, outputs: {}, previous: null };
  const calls = serve({
    ...start,
    'GET runs/r1/given/a/': { ...given, memory: {} },
    'GET runs/r1/given/b/': given,
  });
  attach('r1');
  await runAlone('a');
  await runAlone('b');

  expect(useTesting.getState().whole).toBe('r1');
  const last = calls.findLast(({ method, path }) => method === 'POST' && path.endsWith('/runs/'));
  expect(last?.body).toEqual({ draft: true, only: 'b', given });
});

test.each([
  [true, [undefined, true]],
  [false, [undefined]],
])('a call that changes something is asked for: %s', async (yes, accepted) => {
  const refused = new Refused(422, { code: 'OnlySends', detail: 'It posts' });
  const calls = serve({ 'POST graphs/g1/runs/': refused });
  const ask = vi.fn(() => Promise.resolve(yes));
  await startAlone('g1', { draft: true, only: 'a' }, ask).catch(() => null);

  expect(ask).toHaveBeenCalledOnce();
  expect(calls.map(({ body }) => (body as { accept?: boolean }).accept)).toEqual(accepted);
});

test('pins and breakpoints follow a node to its new id, and back', async () => {
  serve({ 'GET graphs/g1/pins/': [pin] });
  await beginTrials('g1');
  toggleBreakpoint('a');
  const held = () => {
    const { pins, breakpoints } = useTrials.getState();
    return [[...pins.values()].map(({ node }) => node), [...breakpoints]];
  };
  const { records } = useEditor.getState();
  const nodes = new Map([...records.nodes].filter(([id]) => id !== 'a'));
  const a = records.nodes.get('a');
  if (!a) throw new Error('no node a');
  nodes.set('first', { ...a, id: 'first' });

  useEditor.setState({ records: { ...records, nodes } });
  expect(held()).toEqual([['first'], ['first']]);
  useEditor.setState({ records });
  expect(held()).toEqual([['a'], ['a']]);

  useEditor.setState({ records: { ...records, nodes: new Map() } });
  expect(held()).toEqual([['a'], ['a']]);
});
