import { useSearchParams } from 'react-router';
import { nodeOfKey } from '../../run/fold/events.ts';

/** A node of the run, or one of its activations. */
export interface Picked {
  node: string;
  key: string | null;
}

/**
 * What is picked on the run page. It stands in the address (`?at=`, a node's id or an activation's key), so
 * that other pages lead to it and Back leads out of it.
 */
export function usePicked(): [Picked | null, (at: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const at = params.get('at');
  const pick = (next: string | null) => {
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (next === null) after.delete('at');
      else after.set('at', next);
      return after;
    });
  };
  if (!at) return [null, pick];
  return [at.includes('#') ? { node: nodeOfKey(at), key: at } : { node: at, key: null }, pick];
}
