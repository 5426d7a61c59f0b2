// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { membersQuery } from '../api/http/lists.ts';
import { formatExact } from '../ui/format/format.ts';
import type { Json } from '../api/types/types.ts';
import { Leaf } from './Leaf.tsx';
import { ValueView } from './ValueView.tsx';

const RITA = '5b5155e9-69cc-490a-b5ee-3f69b129bb60';
const MOMENT = '2026-11-23T23:57:51.989Z';

function show(name: string, value: Json) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const member = { user: { id: RITA, name: 'Rita' } };
  client.setQueryData(membersQuery.queryKey, [member] as never);
  render(
    <QueryClientProvider client={client}>
      {typeof value === 'object' && value ? (
        <ValueView value={value} />
      ) : (
        <Leaf {...{ name, value }} />
      )}
    </QueryClientProvider>,
  );
}

afterEach(cleanup);

test.each([
  ['decided_by', RITA, 'Rita'],
  ['order', RITA.replace('5', '6'), RITA.replace('5', '6')],
  ['decided_at', MOMENT, formatExact(new Date(MOMENT))],
  ['log', MOMENT, MOMENT],
  ['said_at', 'noon', 'noon'],
  ['answer', null, 'nothing'],
  ['iban', 'DE\u202e21\u202c', 'DE⟨U+202E⟩21⟨U+202C⟩'],
  ['answer', {}, 'nothing'],
  ['answer', [], 'nothing'],
])('a value is said as people say it: %s %j', (name, value, words) => {
  show(name, value);

  expect(screen.getByText(words)).toBeVisible();
});
