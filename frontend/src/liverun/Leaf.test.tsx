// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { membersQuery } from '../api/http/lists.ts';
import { formatExact } from '../ui/format/format.ts';
import { Leaf } from './Leaf.tsx';

const RITA = '5b5155e9-69cc-490a-b5ee-3f69b129bb60';
const MOMENT = '2026-11-23T23:57:51.989Z';

function show(name: string, value: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const member = { user: { id: RITA, name: 'Rita' } };
  client.setQueryData(membersQuery.queryKey, [member] as never);
  render(
    <QueryClientProvider client={client}>
      <Leaf name={name} value={value} />
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
])('who and when are said as people say them: %s', (name, value, words) => {
  show(name, value);

  expect(screen.getByText(words)).toBeVisible();
});
