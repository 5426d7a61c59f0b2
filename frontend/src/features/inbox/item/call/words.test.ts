import { describe, expect, it } from 'vitest';
import { doesWhat, goesTo, toolName } from './words.ts';

describe('a call that is asked about', () => {
  it.each([
    [
      { tool: 'stripe/refund', source: 'stripe', source_kind: 'api', host: 'api.stripe.com' },
      'refund',
      'The service stripe, at api.stripe.com',
    ],
    [
      { tool: 'notes/find/all', source: 'notes', source_kind: 'mcp', host: 'notes.example:8443' },
      'find/all',
      'The tool server notes, at notes.example:8443',
    ],
    [
      { tool: 'git/log', source: 'git', source_kind: 'program', host: '' },
      'log',
      'The program git, which runs beside Graphwright',
    ],
    [
      { tool: 'python/calculate', source: 'python', source_kind: 'function', host: '' },
      'calculate',
      'Code that is installed with Graphwright',
    ],
  ])('says its tool and where it goes: %j', (asked, name, where) => {
    expect(toolName(asked)).toBe(name);
    expect(goesTo(asked)).toBe(where);
  });

  it('from before its source was recorded says what is known', () => {
    expect(goesTo({ tool: 'stripe/refund' })).toBe('stripe');
    expect(goesTo({ tool: 'python/calculate' })).toContain('installed');
    expect(toolName({ tool: 'stripe/refund' })).toBe('refund');
    expect(toolName({})).toBe('');
  });

  it('says whether it can be taken back', () => {
    expect(doesWhat('unsafe')).toContain('cannot be taken back');
    expect(doesWhat('read')).toContain('nothing to take back');
    expect(doesWhat(undefined)).toBe('');
  });
});
