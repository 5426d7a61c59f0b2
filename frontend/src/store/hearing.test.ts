import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftPatch, NodeDoc } from '../api/types/types.ts';
import { hearOthers } from './saving.ts';
import {
  beginServed,
  editor,
  endServed,
  labelOf,
  nodes,
  nothing,
  ok,
  rename,
  served,
} from './served.ts';

const WIRE_MS = 40;

beforeEach(beginServed);
afterEach(endServed);

/** A server that refuses whoever writes to a node without knowing its last change. */
class Server {
  revision = 1;
  refused = 0;
  saves = 0;
  node: NodeDoc = nodes[0] as NodeDoc;
  changed = 1;

  write(node: NodeDoc): number {
    this.node = node;
    this.changed = this.revision += 1;
    return this.revision;
  }

  answer({ revision, set_nodes: [mine] = [] }: DraftPatch): { status: number; body: unknown } {
    const stale = revision < this.changed;
    const others = { ...nothing, nodes: stale && !mine ? [this.node] : [] };
    if (!mine) return ok(this.revision, others) as { status: number; body: unknown };
    this.saves += 1;
    if (!stale) return ok(this.write(mine)) as { status: number; body: unknown };
    this.refused += 1;
    const conflicts = [{ kind: 'node', id: 'a', theirs: this.node }];
    const body = { code: 'StaleRevision', revision: this.revision, conflicts, others };
    return { status: 409, body };
  }
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

function serve(server: Server): void {
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    await wait(WIRE_MS);
    const { status, body } = server.answer(JSON.parse(String(init.body)) as DraftPatch);
    await wait(WIRE_MS);
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(body), { status, headers });
  });
}

test('two people who type into one node are hardly ever refused, and both texts stay', async () => {
  const server = new Server();
  serve(server);
  const typeTheirs = async (text: string) => {
    const revision = server.write({ ...server.node, description: text });
    await wait(WIRE_MS);
    await hearOthers(revision);
  };

  for (let stroke = 1; stroke <= 20; stroke += 1) {
    rename('a', `Mine ${stroke}`);
    await vi.advanceTimersByTimeAsync(350 + 13 * stroke);
    void typeTheirs(`Theirs ${stroke}`);
    await vi.advanceTimersByTimeAsync(450);
  }
  await vi.advanceTimersByTimeAsync(3_000);

  // only what crosses on the wire is refused; each of 20 would be if it were sent before it was heard
  expect(server.saves).toBeGreaterThan(15);
  expect(server.refused).toBeLessThan(server.saves / 4);
  expect([server.node.label, server.node.description]).toEqual(['Mine 20', 'Theirs 20']);
  expect([labelOf('a'), editor().save]).toEqual(['Mine 20', 'saved']);
});

test('what others saved is fetched before what was typed meanwhile is sent', async () => {
  served.replies = [ok(2, { nodes: [{ ...nodes[1], label: 'Theirs' }] }), ok(3)];
  rename('a', 'Mine');
  await hearOthers(2);
  await vi.advanceTimersByTimeAsync(600);

  expect(served.sent).toMatchObject([
    { revision: 1 },
    { revision: 2, set_nodes: [{ id: 'a', label: 'Mine' }] },
  ]);
  expect(served.sent[0]?.set_nodes).toBeUndefined();
  expect([labelOf('a'), labelOf('b'), editor().save]).toEqual(['Mine', 'Theirs', 'saved']);

  await hearOthers(3);
  expect(served.sent).toHaveLength(2);
});
