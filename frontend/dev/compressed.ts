import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const worthIt = /\.(css|js|json|svg)$/;
/** In bytes: a smaller file fits into one packet as it is. */
const smallest = 1_000;

/** Lays beside each built text a `.gz` of it, which the server sends to whoever takes it. */
export function compressed(): Plugin {
  return {
    name: 'graphwright-compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      if (dir === undefined) return;
      for (const [name, built] of Object.entries(bundle)) {
        const text = Buffer.from(built.type === 'chunk' ? built.code : built.source);
        if (text.length >= smallest && worthIt.test(name))
          writeFileSync(join(dir, `${name}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}
