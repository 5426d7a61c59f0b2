import { expect, it } from 'vitest';
import { Looks } from './looks.ts';
import { createConductor } from '../conductor.ts';
import { untouched } from '../../testing.ts';
import type { Interrupt, InterruptAnswer } from '../../../../api/types/types.ts';

it('adds up several visits of one content, and begins anew with another', () => {
  const looks = new Looks();
  const first = { id: 'a', hash: '1', at: 100 };
  looks.changed(first, null, 100);
  looks.changed(null, first, 400);
  const again = { id: 'a', hash: '1', at: 1_000 };

  expect(looks.seen(again, 1_200)).toEqual({ ms: 500, opened: false });
  expect(looks.seen({ id: 'a', hash: '2', at: 1_000 }, 1_200).ms).toBe(200);
  looks.opened('a');
  expect(looks.seen(again, 1_200).opened).toBe(true);
});

it('is sent with the decision', () => {
  const sent: (InterruptAnswer | undefined)[] = [];
  const conductor = createConductor((effect, answers) => {
    if (effect.do === 'send') sent.push(answers.get(effect.id));
  });
  const item = { ...untouched, request_id: 'a', content_hash: 'h' } as unknown as Interrupt;
  conductor.dispatch({ type: 'listed', scope: 's', ids: ['a'], complete: true, at: null });
  const at = performance.now();
  conductor.dispatch({ type: 'painted', id: 'a', hash: 'h', at });
  conductor.looks.opened('a');
  const press = { at: at + 2_400, repeat: false };
  conductor.decide(item, 'approve', { token: 't', decision: 'approved' }, press, 'nothing');

  expect(sent).toEqual([{ token: 't', decision: 'approved', seen: { ms: 2_400, opened: true } }]);
});
