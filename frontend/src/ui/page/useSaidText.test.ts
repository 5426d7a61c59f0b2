// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSaidText } from './useSaidText.ts';

test('the field follows the address, and does not lose what is typed while its own words come back', () => {
  const { result, rerender } = renderHook(({ said }) => useSaidText(said), {
    initialProps: { said: '' },
  });
  const type = (text: string) => act(() => result.current[1](text));
  type('ab');
  act(() => result.current[2]('ab'));
  type('abc');
  rerender({ said: 'ab' });
  expect(result.current[0]).toBe('abc');

  rerender({ said: '' }); // Clear the filters
  expect(result.current[0]).toBe('');
  rerender({ said: 'of a view' });
  expect(result.current[0]).toBe('of a view');
});
