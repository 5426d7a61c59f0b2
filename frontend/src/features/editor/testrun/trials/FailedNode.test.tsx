// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Problem, RunDetail } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import {
  loadDraft,
  Refused,
  saved,
  serve,
  show,
  stubBrowser,
  twoNodes,
} from '../../../../store/testing.tsx';
import { CureButton } from '../FailedNode.tsx';

beforeEach(() => {
  stubBrowser();
  loadDraft({ nodes: twoNodes });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a cure after an approval offers where to start, and goes on doing so once it has cured', async () => {
  const problem = {
    severity: 'error',
    code: 'UnreadableKey',
    message: 'No grant.',
    path: 'nodes[1]',
    node: 'b',
    fixes: [
      {
        label: 'Allow reading input',
        edits: [{ op: 'add', part: 'node', id: 'b', path: ['read_keys'], value: 'input' }],
      },
    ],
  } as unknown as Problem;
  useEditor.setState({ problems: [problem] });
  serve({
    'PATCH graphs/g1/draft/': saved(1),
    'POST runs/r1/retry/': new Refused(409, {
      code: 'ForkAfterApproval',
      earliest: { key: 'root/a', node: 'a' },
    }),
  });
  const run = {
    id: 'r1',
    only: null,
    can: { retry: true },
    document: { nodes: twoNodes },
  } as unknown as RunDetail;
  show(<CureButton run={run} node="b" />);

  fireEvent.click(screen.getByRole('button', { name: 'Allow reading input and retry' }));
  expect(await screen.findByRole('dialog')).toHaveAccessibleName('Run from here');
  act(() => useEditor.setState({ problems: [] }));
  expect(screen.getByRole('dialog')).toBeVisible();
});
