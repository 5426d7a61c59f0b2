// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { Coded } from './Coded.tsx';
import { ErrorText } from './ErrorText.tsx';

function shown(text: string): string {
  return render(<Coded text={text} />).container.innerHTML;
}

test('what stands between backticks is code', () => {
  expect(shown('Name `a` and `b.c`.')).toBe('Name <code>a</code> and <code>b.c</code>.');
  expect(shown('no code')).toBe('no code');
});

test('a backtick without its second stays what it is', () => {
  expect(shown('`a` or `b')).toBe('<code>a</code> or `b');
  expect(shown('`')).toBe('`');
  expect(shown('')).toBe('');
});

test('where a key is missing the sentence leads to the models, and nothing else is a link', () => {
  const nothing = () => undefined;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: nothing,
    removeEventListener: nothing,
  }));
  const said = (text: string) =>
    render(
      <MemoryRouter>
        <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
          <ErrorText text={text} />
        </MantineProvider>
      </MemoryRouter>,
    ).container;
  const lacking = 'there is no key for OpenAI: add one in the settings';

  expect(said(lacking).textContent).toBe(lacking.replace('there', 'There'));
  const way = said(lacking).querySelector('a');
  expect([way?.textContent, way?.getAttribute('href')]).toEqual([
    'in the settings',
    '/settings/models',
  ]);
  expect(said('Something in the settings is wrong').querySelector('a')).toBeNull();
});
