import {
  applyEdgeChanges,
  applyNodeChanges,
  type EdgeChange,
  type NodeChange,
} from '@xyflow/react';
import { create } from 'zustand';
import type {
  Danger,
  GraphDetail,
  GraphDoc,
  Problem,
  Proven,
  WorstCase,
} from '../api/types/types.ts';
import { apply, type Change, diff, reverse, type RecordValue } from '../graph/document/diff.ts';
import { emptyRecords, type Records, toRecords } from '../graph/document/document.ts';
import { place } from '../graph/editing/operations.ts';
import { type Dispute } from '../graph/document/patch.ts';
import { UNREAD, unreadProblems } from './unread.ts';
import { type Flow, type FlowEdge, type FlowNode, project, type Types } from './flow.ts';

/** One gesture of this person: what it was and what it changed. */
export interface Gesture {
  label: string;
  changes: Change[];
}

export type SaveState = 'saved' | 'dirty' | 'saving' | 'offline' | 'failed' | 'conflict';

/** What others changed in the same fields as this person; waits for a choice, and is not saved before. */
export interface Conflict {
  disputes: Dispute[];
  /** How the others have what waits. */
  theirs: RecordValue[];
}

export type Head = Pick<GraphDoc, 'id' | 'name' | 'version' | 'description'>;

export interface EditorState extends Flow {
  graphId: string;
  head: Head;
  can: GraphDetail['can'];
  types: Types;
  /** By node the field by whose values it is to branch: its card has a port for each. */
  branchBy: ReadonlyMap<string, string>;
  /** Ids that agents of the workspace have: one of the document by such an id would stand behind them. */
  reserved: ReadonlySet<string>;
  /** How many others have this draft open. */
  company: number;
  /** The document as it is on screen, in its last finished gesture, and as the server last knew it. */
  records: Records;
  committed: Records;
  base: Records;
  revision: number;
  undoStack: Gesture[];
  redoStack: Gesture[];
  problems: Problem[];
  dangers: Danger[];
  worstCase: WorstCase | null;
  requireApproval: boolean;
  save: SaveState;
  saveError: string;
  conflict: Conflict | null;

  load: (detail: GraphDetail, types: Types) => void;
  /** Change the document without ending the gesture (typing in a field). */
  edit: (change: (records: Records) => Records) => void;
  /** End the gesture: everything since the last one is one undo step. Does nothing when nothing changed. */
  commit: (label: string) => void;
  /** A whole gesture: what was open before is closed first. */
  gesture: (label: string, change: (records: Records) => Records) => void;
  /** Show a port for each value of a field on a card, or none for null. The document does not change. */
  offerBranches: (node: string, field: string | null) => void;
  undo: () => void;
  redo: () => void;
  select: (ids: readonly string[]) => void;
  onNodesChange: (changes: NodeChange<FlowNode>[]) => void;
  onEdgesChange: (changes: EdgeChange<FlowEdge>[]) => void;
  /** Take the positions on screen into the document: the end of a drag. */
  settle: (label: string) => void;
}

const UNDO_DEPTH = 200;
const blank = {
  nodes: [],
  edges: [],
  records: emptyRecords,
  committed: emptyRecords,
  base: emptyRecords,
  undoStack: [],
  redoStack: [],
};

const viewOf = ({ types, branchBy }: EditorState) => ({ types, branchBy, showAllPills: true });

type Draft = Pick<EditorState, 'graphId' | 'records'>;

/** Problems with those of texts that no document can hold. */
function withUnread(
  problems: readonly Problem[],
  { graphId, records }: Draft = useEditor.getState(),
): Problem[] {
  const own = unreadProblems(graphId, (id) => records.nodes.has(id) || records.edges.has(id));
  return [...problems.filter(({ code }) => code !== UNREAD), ...own];
}

/** Tell anew which texts cannot be read. */
export const tellUnread = () =>
  useEditor.setState(({ problems }) => ({ problems: withUnread(problems) }));

/** What an answer of the server proves about the draft, as the store holds it. */
export function provenOf(
  answer: Proven,
  draft?: Draft,
): Pick<EditorState, 'problems' | 'dangers' | 'worstCase'> {
  return {
    problems: withUnread(answer.problems, draft),
    dangers: answer.dangers ?? [],
    worstCase: answer.worst_case ?? null,
  };
}

/** What the author makes, undoable by the author alone. React Flow's arrays are drawn from it. */
export const useEditor = create<EditorState>((set, get) => {
  const drawn = (records: Records, state: EditorState = get()) => ({
    records,
    ...project(records, state, viewOf(state)),
  });

  /** The document after a change; as it is for those who only read. */
  const changed = ({ can, records }: EditorState, change: (records: Records) => Records) =>
    can.edit ? change(records) : records;

  /** What ending the gesture changes; nothing where nothing was changed. */
  const closed = (state: EditorState, label: string): Partial<EditorState> => {
    const changes = diff(state.committed, state.records);
    if (changes.length === 0) return {};
    return {
      committed: state.records,
      undoStack: [...state.undoStack, { label, changes }].slice(-UNDO_DEPTH),
      redoStack: [],
    };
  };

  const step = (from: 'undoStack' | 'redoStack', to: 'undoStack' | 'redoStack') => {
    get().commit('Edit');
    const gesture = get()[from].at(-1);
    if (!gesture) return;
    const changes = from === 'undoStack' ? reverse(gesture.changes) : gesture.changes;
    const records = apply(get().records, changes);
    const done: Gesture = { label: gesture.label, changes: diff(get().records, records) };
    const kept = from === 'undoStack' ? { ...done, changes: reverse(done.changes) } : done;
    set((state) => ({
      ...drawn(records, state),
      committed: records,
      [from]: state[from].slice(0, -1),
      [to]: kept.changes.length > 0 ? [...state[to], kept] : state[to],
    }));
  };

  return {
    ...blank,
    graphId: '',
    head: { id: '' },
    can: { edit: false, publish: false, run: false },
    types: new Map(),
    branchBy: new Map(),
    reserved: new Set(),
    company: 0,
    revision: 0,
    problems: [],
    dangers: [],
    worstCase: null,
    requireApproval: false,
    save: 'saved',
    saveError: '',
    conflict: null,

    load: (detail, types) => {
      const records = toRecords(detail.document);
      const { id, name, version, description } = detail.document;
      const head = {
        id,
        name: name ?? detail.name,
        ...(version === undefined ? {} : { version }),
        ...(description === undefined ? {} : { description }),
      };
      set({
        ...blank,
        graphId: detail.id,
        head,
        can: detail.can,
        types,
        branchBy: new Map(),
        records,
        committed: records,
        base: records,
        revision: detail.revision,
        ...provenOf(detail, { graphId: detail.id, records }),
        requireApproval: detail.require_approval,
        save: 'saved',
        saveError: '',
        conflict: null,
        ...project(records, { nodes: [], edges: [] }, { types, showAllPills: true }),
      });
    },
    edit: (change) => {
      const records = changed(get(), change);
      if (records !== get().records) set(drawn(records));
    },
    commit: (label) => {
      const ended = closed(get(), label);
      if (ended.committed) set(ended);
    },
    gesture: (label, change) => {
      const now = get();
      const before = { ...now, ...closed(now, 'Edit') };
      const records = changed(now, change);
      const after = records === now.records ? before : { ...before, ...drawn(records, before) };
      if (records !== now.records || before.committed !== now.committed)
        set({ ...after, ...closed(after, label) });
    },
    offerBranches: (node, field) => {
      const branchBy = new Map(get().branchBy);
      if (field === null) branchBy.delete(node);
      else branchBy.set(node, field);
      set({ branchBy, ...drawn(get().records, { ...get(), branchBy }) });
    },
    undo: () => step('undoStack', 'redoStack'),
    redo: () => step('redoStack', 'undoStack'),
    select: (ids) => {
      const chosen = new Set(ids);
      const mark = <T extends { id: string; selected?: boolean }>(item: T): T =>
        (item.selected ?? false) === chosen.has(item.id)
          ? item
          : { ...item, selected: chosen.has(item.id) };
      set((state) => ({ nodes: state.nodes.map(mark), edges: state.edges.map(mark) }));
    },
    onNodesChange: (changes) =>
      set((state) => ({
        nodes: applyNodeChanges(
          changes.filter((change) => change.type !== 'remove'),
          state.nodes,
        ),
      })),
    onEdgesChange: (changes) =>
      set((state) => ({
        edges: applyEdgeChanges(
          changes.filter((change) => change.type !== 'remove'),
          state.edges,
        ),
      })),
    settle: (label) => {
      const { nodes, records } = get();
      const moved = nodes
        .filter((node) => node.type !== 'pill')
        .flatMap((node) => {
          const was =
            node.type === 'note'
              ? records.notes.get(node.id)?.position
              : records.nodes.get(node.id)?.position;
          const now = { x: Math.round(node.position.x), y: Math.round(node.position.y) };
          return was && was.x === now.x && was.y === now.y ? [] : [[node.id, now] as const];
        });
      get().gesture(label, (current) => place(current, new Map(moved)));
    },
  };
});

/** Put a merged document on screen: what others did becomes part of it without becoming part of an undo step. */
export function adopt(merge: (records: Records) => Records, base: Records, revision: number): void {
  useEditor.setState((state) => {
    const records = merge(state.records);
    const same = state.records === state.committed;
    return {
      records,
      committed: same ? records : merge(state.committed),
      base,
      revision,
      ...project(records, state, viewOf(state)),
    };
  });
}

/** Ids of the selected nodes and notes. */
export function selectedIds(state: EditorState = useEditor.getState()): string[] {
  return state.nodes.filter((node) => node.selected && node.type !== 'pill').map((node) => node.id);
}

/** Ids of the selected edges. */
export function selectedEdgeIds(state: EditorState = useEditor.getState()): string[] {
  return state.edges.filter((edge) => edge.selected && edge.type === 'wire').map((edge) => edge.id);
}
