import { describe, expect, it } from 'vitest';
import type { Problem } from '../../api/types/types.ts';
import { normalPath, problemAt } from './context.ts';

const problem = (path: string, message: string, severity: Problem['severity'] = 'error') =>
  ({ severity, code: 'x', message, path }) as Problem;

describe('the problem at a field', () => {
  it('is found however its path is written', () => {
    for (const path of ['nodes[2].config.prompt', '/nodes/2/config/prompt', '$.config.prompt'])
      expect(problemAt([problem(path, 'Too long.')], 'config.prompt')).toBe('Too long.');
  });

  it('is not that of a field with a longer or shorter name', () => {
    const beside = [
      problem('config.prompts', 'a'),
      problem('config', 'b'),
      problem('my_config.prompt', 'c'),
    ];

    expect(problemAt(beside, 'config.prompt')).toBeUndefined();
  });

  it('tells of each value that is not there, once', () => {
    const strange = {
      ...problem('config.prompt', 'No nmae.', 'warning'),
      code: 'UnknownReference',
    };
    const oops = problem('config.prompt', 'No oops.');
    const other = problem('config.prompt', 'Long.', 'warning');

    expect(problemAt([other, strange, oops, oops], 'config.prompt')).toBe('No oops. No nmae.');
  });

  it('is the worst one, and no hint', () => {
    const hint = problem('config.prompt', 'Hint.', 'hint');
    const warning = problem('config.prompt', 'Warning.', 'warning');
    const error = problem('config.prompt', 'Error.');

    expect(problemAt([hint], 'config.prompt')).toBeUndefined();
    expect(problemAt([hint, warning], 'config.prompt')).toBe('Warning.');
    expect(problemAt([warning, error], 'config.prompt')).toBe('Error.');
  });

  it('does not repeat the name of a field that is missing', () => {
    const missing = [problem('config.agent_id', '"agent_id" is required.')];

    expect(problemAt(missing, 'config.agent_id')).toBe('This is required.');
  });

  it('paths meet in one spelling', () => {
    expect(normalPath('nodes[0].config[1]')).toBe('nodes.0.config.1');
    expect(normalPath('/edges/3/when')).toBe('edges.3.when');
  });
});
