import { createContext, useContext } from 'react';
import type { Json, JsonObject, JsonSchema } from '../../api/types/types.ts';

/** The object whose property a field edits: for fields that say more than their own value. */
export interface Beside {
  schema: JsonSchema;
  value: JsonObject | undefined;
  set: (name: string, next: Json | undefined) => void;
  /** Set several at once. */
  setAll: (next: Readonly<Record<string, Json | undefined>>) => void;
  path: string;
}

export const BesideContext = createContext<Beside | null>(null);
export const useBeside = () => useContext(BesideContext);
