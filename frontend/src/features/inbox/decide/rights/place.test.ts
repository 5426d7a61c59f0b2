import { expect, it } from 'vitest';
import { givenText, placeOf, placesText } from './place.ts';

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

it('names who gave an item, and to whom it was given', () => {
  const delegation = { by: raul, to: rita, note: '', at: '2026-11-23T09:00:00Z' };

  expect(givenText({ status: 'open', delegation }, rita.id)).toBe('From Raul');
  expect(givenText({ status: 'open', delegation }, raul.id)).toBe('Given to Rita');
  expect(givenText({ status: 'open', delegation: null }, rita.id)).toBeNull();
  expect(givenText({ status: 'answered', delegation }, rita.id)).toBeNull();
});
