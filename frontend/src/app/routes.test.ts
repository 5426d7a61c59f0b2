import { expect, it } from 'vitest';
import source from './routes.tsx?raw';

const pages = Object.keys(import.meta.glob('../features/**/*Page.tsx'));

it('every page has an address, and every address its page', () => {
  const addressed = [...source.matchAll(/page\('[^']+', '([^']+)'\)/g)].map(
    ([, name]) => `../features/${name}.tsx`,
  );
  expect(new Set(addressed)).toEqual(new Set(pages));
});
