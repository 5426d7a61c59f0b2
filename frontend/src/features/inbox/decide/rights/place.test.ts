import { expect, it } from 'vitest';
import { placeOf, placesText } from './place.ts';

const raul = { id: 'u-raul', name: 'Raul' };
const rita = { id: 'u-rita', name: 'Rita' };
const item = (...places: (typeof raul)[]) => ({ places, my_decision: null });

it('names the absent person where one decides for nobody else', () => {
  expect(placeOf(item(raul), rita.id)).toEqual(raul);
  expect(placeOf(item(rita, raul), rita.id)).toBeNull();
  expect(placeOf(item(), rita.id)).toBeNull();
  expect(placeOf({ places: [raul], my_decision: 'approved' }, rita.id)).toBeNull();
});

it('says of many in how many one stands in for whom', () => {
  expect(placesText([item(raul), item(rita), item(raul)], rita.id)).toBe(
    'You decide 2 of 3 for Raul.',
  );
  expect(placesText([item(raul)], rita.id)).toBe('You decide for Raul.');
  expect(placesText([item(rita, raul)], rita.id)).toBeNull();
});
