import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../api/types/types.ts';
import { countsOf } from './problemCount.ts';

const problem = (severity: Problem['severity'], code = 'UnknownReference'): Problem => ({
  severity,
  code,
  path: '',
  message: '',
});

describe('the count of problems', () => {
  it('names hints, where it would say that there are no problems', () => {
    expect(countsOf([problem('hint')])).toMatchObject({ hints: 1, label: 'No problems, 1 hint' });
    expect(countsOf([problem('error'), problem('hint')]).label).toBe('1 error, 0 warnings, 1 hint');
  });

  it('leaves out what every new node lacks', () => {
    expect(countsOf([problem('hint', 'NoHumanDescription')])).toMatchObject({
      hints: 0,
      label: 'No problems',
    });
  });
});
