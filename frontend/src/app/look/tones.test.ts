import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..', '..');
const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.module.css'),
);

test('no page paints the parts of others: a rule for what something is names whose it is', () => {
  const bare = sheets.filter((path) =>
    /^\s*\[data-(?!mantine-color-scheme)/m.test(readFileSync(join(source, path), 'utf8')),
  );
  expect(sheets.length).toBeGreaterThan(20);
  expect(bare).toEqual([]);
});
