import { expect, it } from 'vitest';
import type { ModelInfo } from '../../api/types/types.ts';
import { modelName } from './modelName.ts';

it('calls models as the settings do', () => {
  const known = [{ id: 'home/qwen3', label: 'Qwen 3' }] as ModelInfo[];

  expect(modelName('home/qwen3', known)).toBe('Qwen 3');
  expect(modelName('local/default', known)).toBe('Default of the workspace');
  expect(modelName('gone/model', known)).toBe('gone/model');
  expect(modelName('home/qwen3', undefined)).toBe('home/qwen3');
});
