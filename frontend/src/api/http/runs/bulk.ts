import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Page } from '../../types/types.ts';
import type * as served from '../../types/schema.gen.ts';
import { api } from '../client.ts';
import type { RunFilter } from '../lists.ts';

export type BulkPreview = served.PreviewOut;
export type BulkJob = served.JobOut;
export type BulkItem = served.ItemOut;
/** A run of a preview by what it is called, and how it stands. */
export type BulkRun = served.RunNameOut;
export type BulkAction = 'retry' | 'cancel';
/** Which runs: these, all that a list shows, or all that failed of causes. */
export type BulkSelect = { ids: string[] } | { filter: RunFilter } | { cause: string | string[] };
export type BulkVersion = 'same' | 'draft' | number;

const TURN_MS = 700;
const LATER_MS = 2_500;

/** Fixes the runs for ten minutes and says what the action would do with them. */
export const previewBulk = (select: BulkSelect, action: BulkAction) =>
  api.post<BulkPreview>('runs/bulk/preview/', { select, action });

export const startBulk = (preview: string, resend: boolean, version: BulkVersion) =>
  api.post<BulkJob>('runs/bulk/', { preview, resend, version });

export const stopBulk = (id: string) => api.post<BulkJob>(`runs/bulk/${id}/stop/`);
export const resumeBulk = (id: string) => api.post<BulkJob>(`runs/bulk/${id}/resume/`);

/** Whether a run that goes on for another is not over: what came of it is told once it is. */
const hasOpen = ({ new_runs: runs }: BulkJob) =>
  ['queued', 'running', 'ending'].some((status) => (runs[status] ?? 0) > 0);

/** How far a job is, asked again until it is over. */
export const bulkQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk', id],
    queryFn: () => api.get<BulkJob>(`runs/bulk/${id}/`),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === 'running') return TURN_MS;
      return data && hasOpen(data) ? LATER_MS : false;
    },
  });

/** The jobs so far, the newest first, a page at a time; their keys begin with `runs`, so a bell refreshes them. */
export const bulkJobsQuery = infiniteQueryOptions({
  queryKey: ['runs', 'bulk'],
  queryFn: ({ pageParam }) => api.get<Page<BulkJob>>('runs/bulk/', { cursor: pageParam }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next ?? undefined,
});

/** What became of each run of a job, in their order; of one result if it is named. */
export const bulkItemsQuery = (id: string, result: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'bulk', id, result],
    queryFn: ({ pageParam }) =>
      api.get<Page<BulkItem>>(`runs/bulk/${id}/items/`, {
        ...(result ? { result } : {}),
        cursor: pageParam,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });

/** Runs of a job with which nothing was done, and why. */
export const bulkLeftQuery = (id: string, result: 'skipped' | 'refused') =>
  queryOptions({
    queryKey: ['bulk', id, result],
    queryFn: () => api.get<Page<BulkItem>>(`runs/bulk/${id}/items/`, { result, limit: '200' }),
  });
