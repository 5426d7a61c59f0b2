import { expect, test } from 'vitest';
import type { BulkJob } from '../../../api/http/runs/bulk.ts';
import {
  jobName,
  jobSentence,
  jobTitle,
  outcomesOf,
  runName,
  targetWords,
  willDo,
} from './words.ts';

const job = {
  action: 'retry',
  status: 'running',
  count: 24,
  done: 13,
  skipped: 0,
  refused: 0,
  pending: 11,
  left_out: 0,
  new_runs: {},
} as unknown as BulkJob;

test('a title says how a job stands', () => {
  expect(jobTitle(job)).toBe('Retrying 24 runs');
  expect(jobTitle({ ...job, status: 'paused' })).toBe('Paused after 13 of 24');
  expect(jobTitle({ ...job, status: 'stopped' })).toBe('Stopped after 13 of 24');
  expect(jobTitle({ ...job, status: 'ended', done: 24, pending: 0 })).toBe('24 runs retried');
  expect(jobTitle({ ...job, action: 'cancel', status: 'ended', done: 1 })).toBe('1 run cancelled');
  expect(jobTitle({ ...job, status: 'ended', done: 0 })).toBe('Nothing was retried');
});

test('what a stopped job has not done is not still to be done', () => {
  expect(jobSentence(job)).toBe('13 runs tried again, 11 to go.');
  expect(jobSentence({ ...job, status: 'stopped' })).toBe('13 runs tried again, 11 not reached.');
});

test('runs that were left out from the start are counted apart', () => {
  const paused = { ...job, status: 'paused', left_out: 6 } as unknown as BulkJob;
  expect(jobName(paused)).toBe('Retry 24 runs');
  expect(jobTitle(paused)).toBe('Paused after 13 of 24');
  expect(jobSentence(paused)).toBe(
    '13 runs tried again, 11 to go. 6 runs left out from the start.',
  );
});

test('what a person rejected did not fail again', () => {
  const over = { ...job, status: 'ended', done: 4, pending: 0 } as unknown as BulkJob;
  const new_runs = { completed: 1, rejected: 2, failed: 1 };
  expect(jobSentence({ ...over, new_runs })).toBe(
    '4 runs tried again. Of the new runs 1 completed, 1 failed again, 2 rejected.',
  );
  expect(outcomesOf({ ...over, new_runs: { rejected: 4 } })).toMatchObject({ failed: 0, open: 0 });
});

test('what would send again is counted only with leave', () => {
  expect(willDo({ included: 8, resends: 3 }, false)).toBe(5);
  expect(willDo({ included: 8, resends: 3 }, true)).toBe(8);
});

test('a run is called by its title, else by its workflow', () => {
  const id = '1a2b3c4d-0000';
  expect(runName({ title: 'K-1', graph: 'Orders', id })).toBe('K-1');
  expect(runName({ title: '', graph: 'Orders', id })).toBe('Orders, run 1a2b3c4d');
});

test('what is called again is told in words', () => {
  expect(targetWords({ method: 'POST', target: 'pay.example' })).toBe('POST pay.example');
  expect(targetWords({ method: '', target: 'function' })).toBe('its code');
  expect(targetWords({ method: '', target: 'send_mail' })).toBe('“send_mail”');
});
