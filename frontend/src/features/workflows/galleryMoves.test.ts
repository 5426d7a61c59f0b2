import { describe, expect, it } from 'vitest';
import type { GraphTemplate } from '../../api/types/types.ts';
import { matching, neighbour } from './galleryMoves.ts';

const template = (id: string, more: Partial<GraphTemplate>): GraphTemplate => ({
  id,
  name: id,
  description: '',
  pattern: id,
  category: 'Basics',
  needs: 'builtin',
  node_types: [],
  examples: [],
  brings: [],
  document: { graphwright: 1, id, nodes: [], edges: [] },
  ...more,
});
const all = [
  template('chain', { node_types: ['agent', 'output'] }),
  template('http', {
    category: 'Tools',
    description: 'Fetches an address',
    node_types: ['http_request'],
  }),
];

describe('the search of the gallery', () => {
  it('finds by every word, also in node types, within a category', () => {
    expect(matching(all, '', null).map((found) => found.id)).toEqual(['chain', 'http']);
    expect(matching(all, 'HTTP request', null).map((found) => found.id)).toEqual(['http']);
    expect(matching(all, 'address agent', null)).toEqual([]);
    expect(matching(all, '', 'Basics').map((found) => found.id)).toEqual(['chain']);
  });
});

describe('arrows between cards', () => {
  it('walk rows and columns and stop at the rim', () => {
    expect(neighbour('ArrowDown', -1, 7, 3)).toBe(0);
    expect(neighbour('ArrowRight', 0, 7, 3)).toBe(1);
    expect(neighbour('ArrowDown', 1, 7, 3)).toBe(4);
    expect(neighbour('ArrowUp', 1, 7, 3)).toBeNull();
    expect(neighbour('ArrowDown', 5, 7, 3)).toBeNull();
    expect(neighbour('End', 0, 7, 3)).toBe(6);
    expect(neighbour('x', 0, 7, 3)).toBeNull();
    expect(neighbour('ArrowDown', -1, 0, 3)).toBeNull();
  });
});
