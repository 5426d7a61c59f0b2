/** The objects of `docs/api.md`, as they are on the wire. Times are RFC 3339 text, money is decimal text in USD. */

export type * from './documentTypes.ts';
export type * from './graphs.ts';
export type * from './inbox.ts';
export type * from './proofTypes.ts';
export type * from './runs.ts';
export type * from './workspace.ts';
