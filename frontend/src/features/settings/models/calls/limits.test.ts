import { describe, expect, it } from 'vitest';
import type { Models } from '../../../../api/types/types.ts';
import { inOrder, limitable, nameOf, without } from './limits.ts';

const models = {
  providers: [{ id: 'house', label: 'Our house' }],
  models: [{ id: 'house/small' }, { id: 'house/large' }],
} as unknown as Models;

describe('limits of calls', () => {
  it('are set of a provider or of one of its models', () => {
    expect(limitable(models)).toEqual([
      { value: 'house', label: 'Our house, all its models' },
      { value: 'house/small', label: 'house/small' },
      { value: 'house/large', label: 'house/large' },
    ]);
  });

  it('are read with the provider first, and keep what is gone by its name', () => {
    const limits = { 'house/small': 1, gone: 2, house: 4 };

    expect(inOrder(limits).map(([name]) => nameOf(models, name))).toEqual([
      'gone',
      'Our house, all its models',
      'house/small',
    ]);
    expect(without(limits, 'gone')).toEqual({ 'house/small': 1, house: 4 });
  });
});
