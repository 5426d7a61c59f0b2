import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const HERE = path.resolve(import.meta.dirname, '..');
const LIBRARY = path.join(HERE, 'node_modules/@mantine');
const CORE = path.join(LIBRARY, 'core');
/** A bundler names files apart from those that it writes (`Button.module.mjs`). */
const STYLES = /\.module\.mjs$/;

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => path.join(folder, name));
}

/** The names that files take from the library of components. */
function takenBy(files: readonly string[]): Set<string> {
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from ['"]@mantine\/core['"]/g)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.trim()),
  );
  return new Set(names.filter((name) => /^[A-Z]\w+$/.test(name)));
}

/** Where the library keeps each of its names. */
function places(): Map<string, string> {
  const index = path.join(CORE, 'esm/index.mjs');
  const found = new Map<string, string>();
  for (const [, list = '', file = ''] of readFileSync(index, 'utf8').matchAll(
    /import \{([^}]*)\} from "(\.[^"]*)"/g,
  ))
    for (const name of list.split(',')) found.set(name.trim(), path.join(CORE, 'esm', file));
  return found;
}

/** The style sheets that modules of the library need, those of what they are made of included. */
function sheetsOf(modules: Iterable<string>): Set<string> {
  const [seen, sheets, left] = [new Set<string>(), new Set<string>(), [...modules]];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (STYLES.test(file)) sheets.add(path.basename(file).replace(STYLES, ''));
    else
      for (const [, next = ''] of readFileSync(file, 'utf8').matchAll(/ from "(\.[^"]*)"/g))
        left.push(path.resolve(path.dirname(file), next));
  }
  return sheets;
}

test('the styles of every component that is used are there, in the order of the library', () => {
  const own = filesUnder(path.join(HERE, 'src'), /(?<!\.test)\.tsx?$/);
  const beside = ['notifications', 'spotlight'].flatMap((name) =>
    filesUnder(path.join(LIBRARY, name, 'esm'), /\.mjs$/),
  );
  const known = places();
  const modules = [...takenBy([...own, ...beside])].flatMap((name) => known.get(name) ?? []);
  const whole = readFileSync(path.join(CORE, 'styles.css'), 'utf8');
  const at = (sheet: string) =>
    whole.indexOf(readFileSync(path.join(CORE, 'styles', `${sheet}.css`), 'utf8').slice(0, 200));
  const needed = ['baseline', 'default-css-variables', 'global', ...sheetsOf(modules)];

  const given = readFileSync(path.join(HERE, 'src/app/look/components.css'), 'utf8');
  const lines = [...given.matchAll(/^@import '@mantine\/core\/styles\/(\S+)\.css';$/gm)];

  expect(lines.map(([, name]) => name)).toEqual(needed.toSorted((a, b) => at(a) - at(b)));
});
