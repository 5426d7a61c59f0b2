/** Large values that are kept apart: where a value holds references to them, and what they stand for. */

import { type BlobRef, type Json, blobOf, isObject } from './json.ts';

/** What large values are, by the name of their references. */
export type Whole = Readonly<Record<string, Json>>;

/** The references anywhere in a value. */
export function apartIn(value: Json | undefined): BlobRef[] {
  const blob = blobOf(value);
  if (blob) return [blob];
  if (Array.isArray(value)) return value.flatMap(apartIn);
  return isObject(value) ? Object.values(value).flatMap(apartIn) : [];
}

/** A value with what its references stand for, as far as that is known. */
export function withWhole(value: Json, whole: Whole): Json {
  const blob = blobOf(value);
  if (blob) return whole[blob.$blob] ?? value;
  if (Array.isArray(value)) return value.map((each) => withWhole(each, whole));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withWhole(each, whole)]),
  );
}

export const bytesOf = (blobs: readonly BlobRef[]): number =>
  blobs.reduce((sum, { bytes }) => sum + bytes, 0);
