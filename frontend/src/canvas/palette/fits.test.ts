import { expect, it } from 'vitest';
import { loadDraft, twoNodes } from '../../store/testing.tsx';
import { gapOf } from './fits.ts';

it('the wire in hand says where the node will stand', () => {
  const ab = { id: 'ab', source: 'a', target: 'b', on: 'failed' as const };
  loadDraft({ nodes: twoNodes, edges: [ab] });
  const wire = { node: 'a', port: 'rejected' };
  expect(gapOf({ wire: { ...wire, direction: 'from' } })).toEqual({ from: wire, to: null });
  expect(gapOf({ wire: { ...wire, direction: 'to' } })).toEqual({ from: null, to: 'a' });
  expect(gapOf({ edge: 'ab' })).toEqual({ from: { node: 'a', port: 'failed' }, to: 'b' });
  expect(gapOf({})).toBeNull();
});
