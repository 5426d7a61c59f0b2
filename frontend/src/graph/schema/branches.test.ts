import { expect, test } from 'vitest';
import { toRecords } from '../document/document.ts';
import { connect } from '../editing/operations.ts';
import { nodeType } from '../document/testing.ts';
import { branchable, branchFields, branchPorts, conditionPort } from './branches.ts';
import { canConnect, edgeFromPort, edgeText, portOf, portsOf } from './ports.ts';

const fields = {
  level: { type: 'string', enum: ['senior', 'junior'] },
  urgent: { type: 'boolean' },
  name: { type: 'string' },
  many: { type: 'string', enum: Array.from({ length: 13 }, (_, index) => `v${index}`) },
};
const records = toRecords({
  graphwright: 1,
  id: 'g',
  state_schema: { type: 'object', properties: fields },
  nodes: ['a', 'b', 'c'].map((id) => ({ id, type: 'step', position: { x: 0, y: 0 } })),
  edges: [],
});
const { settings } = records;
const SENIOR = "if:memory.level == 'senior'";
const senior = { source: 'a', target: 'b', condition: "memory.level == 'senior'" };
const labels = (ports: { label: string }[]) => ports.map(({ label }) => label);

test('a node branches by fields that list few values', () =>
  expect(branchable(settings).map(({ field }) => field)).toEqual([
    'memory.level',
    'memory.urgent',
  ]));

test('what a node gives itself is offered first, and eight fields at most', () => {
  const offered = (keys: string[], now = settings) =>
    branchFields(now, { id: 'a', type: 'step', write_keys: keys }).map(({ label }) => label);
  const flags = Array.from({ length: 9 }, (_, n): [string, object] => [
    `f${n}`,
    { type: 'boolean' },
  ]);
  const many = { ...settings, state_schema: { properties: Object.fromEntries(flags) } };

  expect(offered(['urgent'])).toEqual(['urgent', 'level']);
  expect(offered(['f8'], many)).toEqual(['f8', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6']);
});

test('a wanted field has a quiet port for each value, and what is left is called so', () => {
  const ports = branchPorts(settings, [], 'memory.level');
  expect(ports.map(({ id, quiet }) => [id, quiet])).toEqual([
    [SENIOR, true],
    ["if:memory.level == 'junior'", true],
  ]);
  expect(labels(portsOf(nodeType('step'), [], ports))).toEqual(['senior', 'junior', 'Otherwise']);
  expect(labels(branchPorts(settings, [], 'memory.urgent'))).toEqual(['urgent: yes', 'urgent: no']);
});

test('where one value is wired, the ports of the others are derived', () => {
  const ports = branchPorts(settings, [senior], undefined);
  expect(ports.map(({ quiet }) => quiet)).toEqual([false, true]);
  expect(branchPorts(settings, [{ ...senior, condition: 'memory.n > 2' }], undefined)).toEqual([]);
});

test('a wire from the port of a value is its condition, drawn once to each end', () => {
  const wired = connect(records, 'a', SENIOR, 'b');
  const [edge] = [...wired.edges.values()];

  expect(edge).toMatchObject(senior);
  expect(edgeFromPort(SENIOR)).toEqual({ condition: senior.condition });
  expect(portOf(senior)).toBe(SENIOR);
  expect(canConnect(wired, 'a', SENIOR, 'b')).toBe(false);
  expect(canConnect(wired, 'a', SENIOR, 'c')).toBe(true);
  expect(canConnect(wired, 'a', 'completed', 'b')).toBe(true);
});

test.each([{ condition: "memory.level == 'a'", on: 'failed' as const }, { when: 'x' }, {}])(
  'what asks for no condition has no port of one: %j',
  (edge) => expect(conditionPort({ source: 'a', target: 'b', ...edge })).toBeNull(),
);

test('each condition leaves from a place that says it, and only what is left from Otherwise', () => {
  const refund = { ...senior, condition: 'memory.n > 2', label: 'refund' };
  const again = { ...refund, target: 'c', label: 'twice' };
  const free = { ...senior, condition: 'memory.n>3' };
  const out = [senior, refund, again, free, { source: 'a', target: 'c' }];
  const ports = portsOf(nodeType('step'), out, branchPorts(settings, out, undefined));
  const places = out.map((edge) => ports.find(({ id }) => id === portOf(edge))?.label);

  expect(labels(ports)).toEqual(['senior', 'junior', 'refund', 'memory.n>3', 'Otherwise']);
  expect(places).toEqual(['senior', 'refund', 'refund', 'memory.n>3', 'Otherwise']);
  expect(ports[2]?.hint).toBe('n is more than 2');
  expect(out.map((edge) => edgeText(edge, ports))).toEqual(['', '', 'twice', '', '']);
  expect(edgeFromPort(portOf(refund))).toEqual({ condition: 'memory.n > 2' });
});

test('what is left stands after all choices and before what went wrong', () => {
  const router = nodeType('router', {}, [
    { id: 'when', label: 'If …', kind: 'dynamic' },
    { id: 'completed', label: 'Otherwise', kind: 'completed' },
    { id: 'pass', label: 'Pass', kind: 'completed', when: 'pass' },
    { id: 'failed', label: 'Failed', kind: 'failed' },
  ]);

  expect(labels(portsOf(router, [{ ...senior, condition: 'memory.n>3' }]))).toEqual([
    'memory.n>3',
    'If …',
    'Pass',
    'Otherwise',
    'Failed',
  ]);
});

test('a wire says its condition in words, or nothing where its port does', () => {
  const ports = portsOf(undefined, [senior], branchPorts(settings, [senior], undefined));
  const other = { ...senior, condition: 'memory.n > 2' };
  const plain = { source: 'a', target: 'c' };

  expect(edgeText(senior, ports)).toBe('');
  expect(edgeText(senior, [])).toBe('level is senior');
  expect(edgeText(other, ports)).toBe('n is more than 2');
  expect(edgeText({ ...other, condition: 'memory.n>2' }, [])).toBe('memory.n>2');
  expect(edgeText(plain, [], true)).toBe('Otherwise');
  expect(edgeText(plain, ports, true)).toBe('');
  expect(edgeText(plain, [], false)).toBe('');
});
