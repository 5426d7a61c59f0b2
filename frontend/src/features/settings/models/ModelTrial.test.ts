import { expect, it } from 'vitest';
import { words } from './ModelTrial.tsx';

it('says that a model works, and quotes its answer once', () => {
  const trial = { ok: true, first_token_ms: 90, total_ms: 1200 };
  const told = 'It works and answered “ready”: first token after 90 ms, all of it after 1.2 s.';

  expect(words({ ...trial, message: 'ready' })).toBe(told);
  expect(words({ ...trial, message: '“ready”' })).toBe(told);
  expect(words({ ...trial, ok: false, message: 'No such model' })).toBe('No such model');
});
