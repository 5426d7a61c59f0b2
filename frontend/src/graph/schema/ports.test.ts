import { expect, test } from 'vitest';
import { withRecords } from '../document/diff.ts';
import { canConnect, edgeFromPort, edgeText, portOf, portsOf } from './ports.ts';
import { graph, nodeType } from '../document/testing.ts';

const approval = nodeType('approval', {}, [
  { id: 'completed', label: 'Approved', kind: 'completed' },
  { id: 'rejected', label: 'Rejected', kind: 'rejected' },
]);
const verifier = nodeType('verifier', {}, [
  { id: 'pass', label: 'Pass', kind: 'completed', when: 'pass' },
  { id: 'fail', label: 'Fail', kind: 'completed', when: 'fail' },
  { id: 'completed', label: 'Either', kind: 'completed' },
]);
const router = nodeType('router', {}, [
  { id: 'when', label: 'New branch', kind: 'dynamic' },
  { id: 'completed', label: 'Else', kind: 'completed' },
]);

test('named handles of a type are its ports', () => {
  expect(portsOf(approval, []).map((port) => [port.id, port.label])).toEqual([
    ['completed', 'Approved'],
    ['rejected', 'Rejected'],
  ]);
});

test('handles of tokens stand for them, beside the plain way on', () => {
  expect(portsOf(verifier, []).map((port) => port.id)).toEqual([
    'when:pass',
    'when:fail',
    'completed',
  ]);
  expect(edgeFromPort('when:fail')).toEqual({ when: 'fail' });
});

test('edges add the ports that they leave from, once each', () => {
  const ports = portsOf(router, [
    { source: 'r', target: 'a', when: 'billing' },
    { source: 'r', target: 'b', when: 'billing' },
    { source: 'r', target: 'c', on: 'failed' },
  ]);

  expect(ports.map((port) => port.id)).toEqual(['when:billing', 'dynamic', 'completed', 'failed']);
});

test('an edge leaves from the port that says the same', () => {
  for (const port of ['completed', 'failed', 'rejected', 'timed_out', 'when:x'])
    expect(portOf({ source: 'a', target: 'b', ...edgeFromPort(port) })).toBe(port);
});

test('no wire into the start, out of the end, to nowhere, or twice', () => {
  const records = graph('a>b');

  expect(canConnect(records, 'a', 'completed', 'b')).toBe(false);
  expect(canConnect(records, 'a', 'when:x', 'b')).toBe(true);
  expect(canConnect(records, 'a', 'completed', '__start__')).toBe(false);
  expect(canConnect(records, '__end__', 'completed', 'a')).toBe(false);
  expect(canConnect(records, '__start__', 'completed', '__end__')).toBe(false);
  expect(canConnect(records, 'a', 'completed', 'nowhere')).toBe(false);
});

test('a conditional edge does not stand in the way of the else', () => {
  const records = withRecords(graph(), [
    { kind: 'node', id: 'a', value: { id: 'a', type: 'step' } },
    { kind: 'node', id: 'b', value: { id: 'b', type: 'step' } },
    { kind: 'edge', id: 'e', value: { id: 'e', source: 'a', target: 'b', condition: 'true' } },
  ]);

  expect(canConnect(records, 'a', 'completed', 'b')).toBe(true);
});

test('an edge says its label, its condition, or nothing when its port says it', () => {
  expect(edgeText({ source: 'a', target: 'b', label: 'go', condition: 'x' }, [])).toBe('go');
  expect(edgeText({ source: 'a', target: 'b', condition: 'memory.x' }, [])).toBe('memory.x');
  expect(edgeText({ source: 'a', target: 'b', on: 'rejected' }, portsOf(approval, []))).toBe('');
  expect(edgeText({ source: 'a', target: 'b' }, [])).toBe('');
});

test('an outcome that no wire waits for is quiet', () => {
  const quiet = (out: Parameters<typeof portsOf>[1]) =>
    portsOf(approval, out).map((port) => port.quiet ?? false);

  expect(quiet([])).toEqual([false, true]);
  expect(quiet([{ source: 'a', target: 'b', on: 'rejected' }])).toEqual([false, false]);
});
