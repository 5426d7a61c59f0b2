// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { NodeDoc } from '../../api/types/types.ts';
import classes from '../canvas.module.css';
import type { NodeRunView } from './context.ts';
import { NodeBadges } from './NodeBadges.tsx';
import { NodeRun } from './NodeRun.tsx';

afterEach(cleanup);

const node: NodeDoc = { id: 'a', type: 'x' };
const spent: NodeRunView = {
  status: 'running',
  visits: 1,
  attempt: 2,
  maxAttempts: 3,
  usedUsd: '0.10',
  heldUsd: '0',
  usedTokens: 250,
  heldTokens: 3639,
};
const card = (view: NodeRunView) =>
  render(
    <>
      <NodeRun view={view} />
      <NodeBadges doc={node} danger={undefined} problems={undefined} view={view} drawing={false} />
    </>,
  );

test('a capped card tells both of its sides, while calls are under way (C46)', () => {
  card({ ...spent, limitUsd: '1', limitTokens: 9000 });
  expect(
    screen.getByRole('group', {
      name: 'Budget: $0.10 used · $0.90 left; 250 tokens used · 3.6k held · 5.1k left',
    }),
  ).toBeVisible();
  expect(screen.getByText('250 tokens used · 3.6k held · 5.1k left')).toBeVisible();
});

test('a card without a cap tells tokens as well as money, and what is held (C46)', () => {
  const { container } = card(spent);
  expect(screen.queryByRole('group', { name: /Budget/ })).toBeNull();
  expect(container).toHaveTextContent('$0.10 · 250 tokens · 3.6k held');
});

test('a problem is told in the words for people', () => {
  const problem = {
    severity: 'error' as const,
    code: 'ResultKeyNotWritable',
    message: 'Add it to `write_keys`.',
    say: 'A is asked for z, and that is not among what it gives.',
    path: 'nodes[0]',
  };
  render(
    <NodeBadges
      doc={node}
      danger={undefined}
      problems={[problem]}
      view={undefined}
      drawing={true}
    />,
  );

  expect(screen.getByRole('img', { name: problem.say })).toHaveAttribute('title', problem.say);
});

test('the tokens that a card may use have separators', () => {
  const capped = { ...node, budget: { max_tokens: 2_500_000 } };
  render(
    <NodeBadges
      doc={capped}
      danger={undefined}
      problems={undefined}
      view={undefined}
      drawing={true}
    />,
  );

  expect(screen.getByRole('img', { name: 'Budget 2,500,000 tokens' })).toBeVisible();
});

test('what a new node needs stands on its card in grey, and counts as no problem', () => {
  const need = (say: string) => ({
    severity: 'hint' as const,
    code: 'MissingField',
    message: '',
    say,
    path: 'nodes[0]',
  });
  render(
    <NodeBadges
      doc={node}
      danger={undefined}
      problems={[need('Needs: Address'), need('Needs: Method')]}
      view={undefined}
      drawing={true}
    />,
  );

  const badge = screen.getByRole('img', { name: 'Needs: Address, Method' });
  expect(badge).toHaveTextContent('Needs: Address, Method');
  expect(badge).not.toHaveAttribute('data-tone');
});

test('a card that waits for another try says when that is, beside why the last one failed', () => {
  card({ ...spent, status: 'retrying', error: 'away', nextTry: 'Next try in 40 s (3 of 5)' });
  expect(screen.getByText('Next try in 40 s (3 of 5)')).toBeVisible();
  expect(screen.getByText('away')).toBeVisible();
});

test('why somebody said no in a called workflow has more than a line, and can be read in full', () => {
  const refusal = `${'The amount is above what we pay back. '.repeat(5)}(rejected below)`;
  card({ ...spent, status: 'rejected', refusal, headline: 'child run failed' });
  const shown = screen.getByTitle(refusal);
  expect(shown).toHaveTextContent(refusal.trim());
  expect(shown).not.toHaveClass(classes.headline ?? '');
  expect(screen.queryByText('child run failed')).toBeNull();
});
