import { expect, it } from 'vitest';
import { toRecords } from '../document/document.ts';
import { nodeType } from '../document/testing.ts';
import { askable } from './askable.ts';

const at = { x: 0, y: 0 };
const types = new Map(['step', 'router'].map((type) => [type, nodeType(type)]));
const records = toRecords({
  graphwright: 1,
  id: 'g',
  nodes: [
    { id: 'ask', type: 'step', label: 'Ask', position: at },
    { id: 'which', type: 'router', label: 'Which', position: at },
    {
      id: 'by',
      type: 'router',
      label: 'By level',
      position: at,
      config: { expression: 'memory.level' },
    },
  ],
  edges: [],
});

it('a condition may ask for what a node answers; a router whose wires decide answers nothing', () => {
  const answers = askable(records, types).filter(({ from }) => from === 'Answers');
  expect(answers.map(({ label }) => label)).toEqual(['Answer of Ask', 'Answer of By level']);
});
