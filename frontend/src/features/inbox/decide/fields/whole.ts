/** Fields whose values are kept apart: they are read whole before anybody edits them. */

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../../api/http/client.ts';
import type { Interrupt, Json, JsonObject } from '../../../../api/types/types.ts';
import { apartIn, bytesOf, type Whole, withWhole } from '../../../../run/values/apart.ts';
import { blobOf, isObject } from '../../../../run/values/json.ts';

/** What is larger than this is not edited in a box of a page. */
export const MAX_BYTES = 1_000_000;

/** What is shown, by field; nothing while all of it together is kept apart. */
export const shownOf = ({ request: { data } }: Pick<Interrupt, 'request'>): JsonObject =>
  isObject(data) && blobOf(data) === null ? data : {};

/** What is said of a field whose value is kept apart. */
export function apartText(value: Json | undefined): string {
  const bytes = bytesOf(apartIn(value));
  return bytes > MAX_BYTES
    ? 'This is too large to edit here. It stays as it is.'
    : 'It is read whole before you can edit it. Until then it stays as it is.';
}

/** The references to read before the fields that one may edit can be edited. */
function toRead({ request, not_mine_to_edit: others }: Interrupt): string[] {
  const data = request.data ?? null;
  const keys = request.editable_keys ?? [];
  const values = isObject(data) && blobOf(data) === null ? Object.entries(data) : [['*', data]];
  return (values as [string, Json][]).flatMap(([name, value]) => {
    const isMine =
      name === '*' || ((keys.includes('*') || keys.includes(name)) && !(name in others));
    const blobs = isMine ? apartIn(value) : [];
    return bytesOf(blobs) > MAX_BYTES ? [] : blobs.map(({ $blob }) => $blob);
  });
}

/** The item with the large values that one may edit, once they are there: read while one edits. */
export function useWhole(item: Interrupt, isOn: boolean): Interrupt {
  const wanted = item.kind === 'approval' ? toRead(item) : [];
  const { data: whole } = useQuery({
    queryKey: ['whole', item.run.id, wanted],
    queryFn: async ({ signal }): Promise<Whole> => {
      const read = wanted.map(async (sha): Promise<[string, Json]> => [
        sha,
        await api.get<Json>(`runs/${item.run.id}/blobs/${sha}/`, {}, { signal }),
      ]);
      return Object.fromEntries(await Promise.all(read));
    },
    enabled: isOn && wanted.length > 0,
    staleTime: Infinity,
  });
  return useMemo(() => {
    const { data } = item.request;
    if (whole === undefined || data === undefined) return item;
    return { ...item, request: { ...item.request, data: withWhole(data, whole) } };
  }, [item, whole]);
}
