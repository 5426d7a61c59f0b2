import { expect, it } from 'vitest';
import { answeredLine } from './answered.ts';

const line = (body: string) => answeredLine({ answer: { status: 500, body } });

it('says what the answer says is wrong, else its first line', () => {
  expect(line('{"error":"ledger is locked for month end"}')).toBe('ledger is locked for month end');
  expect(line('{"error":{"message":"too many"}}')).toBe('too many');
  expect(line('\n  Bad gateway\nnginx')).toBe('Bad gateway');
  expect(line('{"ok":false}')).toBe('{"ok":false}');
  expect(line('x'.repeat(500))).toHaveLength(200);
});

it('says nothing where nothing was answered', () => {
  expect([line(''), answeredLine(undefined), answeredLine({ status: 500 })]).toEqual(['', '', '']);
});
