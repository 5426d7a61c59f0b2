// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest';
import { cleanup, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { selectedEdgeIds, useEditor } from '../../store/editor.ts';
import { loadDraft, show, stubBrowser, twoNodes } from '../../store/testing.tsx';
import Branches from './Branches.tsx';

beforeEach(stubBrowser);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('lists what each branch waits for, and opens the form of one', () => {
  loadDraft({
    edges: [
      { id: 'big', source: 'a', target: 'b', condition: 'memory.amount > 1000' },
      { id: 'new', source: 'a', target: 'b', condition: '' },
      { id: 'word', source: 'a', target: 'b', when: 'large' },
      { id: 'else', source: 'a', target: '__end__' },
      { id: 'broken', source: 'a', target: 'b', on: 'failed' },
    ],
  });
  const [node] = twoNodes;
  if (!node) throw new Error('no node');
  show(<Branches node={node} />);

  const rows = [...document.querySelectorAll('[data-field=branches] button')];
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'If amount is more than 1000B',
    'Say whenB',
    'Says “large”B',
    'OtherwiseEnd',
  ]);
  expect(document.querySelector('[data-field=branches]')).toHaveTextContent(
    'Pull a wire from If … to a step, or choose Connect to, then say when it is taken.',
  );
  const unsaid = rows[1];
  if (unsaid) fireEvent.click(unsaid);
  expect(selectedEdgeIds(useEditor.getState())).toEqual(['new']);
});
