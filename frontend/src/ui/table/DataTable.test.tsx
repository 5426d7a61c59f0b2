import { describe, expect, it } from 'vitest';
import { nextOrder } from './DataTable.tsx';

describe('the order after a press on a column', () => {
  it('begins with what people look for and turns around', () => {
    const spend = { by: 'spend', largestFirst: true };
    expect(nextOrder('-started', spend)).toBe('-spend');
    expect(nextOrder('-spend', spend)).toBe('spend');
    expect(nextOrder('spend', spend)).toBe('-spend');
    expect(nextOrder('-spend', { by: 'name', largestFirst: false })).toBe('name');
  });
});
