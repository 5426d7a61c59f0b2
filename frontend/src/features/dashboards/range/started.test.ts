import { expect, test } from 'vitest';
import { startedAddress, startedWords } from './started.ts';

const row = { source: 'webhook', trigger: 't', name: 'Orders', graph: 'Shop', runs: 3, failed: 1 };

test('a trigger is told by its name and workflow, all else by its kind', () => {
  expect(startedWords(row)).toBe('Webhook “Orders” of Shop');
  expect(startedWords({ ...row, name: '', graph: '' })).toBe('Webhook that is gone');
  expect(startedWords({ ...row, source: 'person', trigger: '' })).toBe('People');
  expect(startedWords({ ...row, source: 'bulk', trigger: '' })).toBe('Retried in bulk');
  expect(startedWords({ ...row, source: '-', trigger: '' })).toBe('Other runs, or not noted');
});

test('a number opens the runs that it counts', () => {
  const stretch = { since: 'a', until: 'b' };

  expect(startedAddress(row, stretch, { graph: 'g' }, 'failed,timeout')).toBe(
    '/runs?status=failed%2Ctimeout&since=a&until=b&source=webhook&trigger=t&graph=g',
  );
  expect(startedAddress({ ...row, source: '-', trigger: '' }, stretch, {})).toBe(
    '/runs?since=a&until=b&source=-',
  );
});
