/** The test run that the editor shows: what it starts with, which one is looked at, and the panel around it. */

import { create } from 'zustand';
import { api, ApiError, messageOf } from '../../../api/http/client.ts';
import type {
  Json,
  JsonObject,
  JsonSchema,
  Problem,
  RunStart,
  RunSummary,
} from '../../../api/types/types.ts';
import { useEditor } from '../../../store/editor.ts';
import { touchAll } from '../../../store/untouched.ts';
import { saveAll } from '../../../store/saving.ts';
import {
  beginning,
  checked,
  refitted,
  refusalAt,
  remember,
  remembered,
  suited,
  type TestInput,
} from './input/testInput.ts';

import { givenTo, startAlone } from './trials/alone.ts';
import { trialOf } from './trials/trials.ts';

export type PanelTab = 'input' | 'live' | 'node';

export interface Testing {
  graphId: string;
  open: boolean;
  /** Height of the panel in pixels. */
  height: number;
  tab: PanelTab;
  input: TestInput;
  /** The sample that was chosen last; null for none. */
  sample: string | null;
  /** What is wrong with the input, by field. */
  problems: Problem[];
  /** The node after which the next run stops; null for one that goes to its end. */
  until: string | null;
  /** The run that is looked at; null before the first. */
  runId: string | null;
  /** The last run that went through the workflow: what one of a single node has not, is seen and found in it. */
  whole: string | null;
  /** The one node of the run that is looked at; null for one that went through the workflow. */
  only: string | null;
  starting: boolean;
  /** Why the last start was refused, beside what is said at the fields; and the problems of the draft that did it. */
  refusal: string;
  blocks: Problem[];
}

const KEPT = 'graphwright.run-panel';
const HEIGHT = 300;
const MOST_OPEN = 50;
export const LEAST_HEIGHT = 160;

/** How the panel was left: its height everywhere, and the workflows where it is open, the last ones. */
interface Kept {
  height: number;
  openIn: string[];
}

function kept(): Kept {
  try {
    const { height, openIn } = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Kept>;
    return { height: height ?? HEIGHT, openIn: Array.isArray(openIn) ? openIn : [] };
  } catch {
    return { height: HEIGHT, openIn: [] };
  }
}

/** Whether the panel was left open in a workflow. */
export const wasOpenIn = (graphId: string): boolean => kept().openIn.includes(graphId);

function keep({ open, height, graphId }: Testing): void {
  const others = kept().openIn.filter((id) => id !== graphId);
  const openIn = open ? [...others, graphId].slice(-MOST_OPEN) : others;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ height, openIn } satisfies Kept));
  } catch {
    // Storage is full or forbidden: the panel stands so until the page is left.
  }
}

export const useTesting = create<Testing>(() => ({
  graphId: '',
  open: false,
  height: kept().height,
  tab: 'input',
  input: beginning(undefined),
  sample: null,
  problems: [],
  until: null,
  runId: null,
  whole: null,
  only: null,
  starting: false,
  refusal: '',
  blocks: [],
}));

const { setState: set, getState: get } = useTesting;

useTesting.subscribe((state, before) => {
  if (state.graphId !== before.graphId || state.graphId === '') return;
  if (state.open !== before.open || state.height !== before.height) keep(state);
});

const inputsNow = (): JsonSchema | undefined =>
  useEditor.getState().records.settings.interface?.inputs;

// What a run starts with follows what is declared, until somebody has entered something else.
useEditor.subscribe((state, before) => {
  const inputs = state.records.settings.interface?.inputs;
  if (state.graphId !== before.graphId || inputs === before.records.settings.interface?.inputs)
    return;
  if (state.graphId === get().graphId) set(({ input }) => ({ input: suited(input, inputs) }));
});

/** Begin anew for a graph: with the input that was last used for it, and the panel as it was left there. */
export function beginTesting(graphId: string): void {
  set({
    graphId,
    open: wasOpenIn(graphId),
    input: remembered(graphId, inputsNow()),
    sample: null,
    problems: [],
    until: null,
    runId: null,
    whole: null,
    only: null,
    starting: false,
    refusal: '',
    blocks: [],
    tab: 'input',
  });
}

/** Show the panel; with a node, the next run stops after it. */
export function openPanel(tab: PanelTab = get().tab, until: string | null = get().until): void {
  set({ open: true, tab, until });
}

export const closePanel = (): void => set({ open: false });
export const showTab = (tab: PanelTab): void => set({ tab });
export const resizePanel = (height: number): void =>
  set({ height: Math.max(LEAST_HEIGHT, Math.round(height)) });
export const chooseSample = (sample: string | null): void => set({ sample });
export const dropUntil = (): void => set({ until: null });

/** Change what the next run starts with. */
export function enter(change: Partial<TestInput>): void {
  set((state) => ({ input: { ...state.input, ...change }, problems: [], refusal: '', blocks: [] }));
  remember(get().graphId, get().input);
}

/** Look at a run of this draft; it was just started, or is the last one. `only`: the node that it runs alone. */
export function attach(
  runId: string,
  { only = null, tab = 'live' }: { only?: string | null; tab?: PanelTab } = {},
): void {
  set(({ whole }) => ({
    runId,
    whole: only === null ? runId : whole,
    only,
    tab,
    until: null,
    starting: false,
    refusal: '',
    blocks: [],
    problems: [],
  }));
}

/** What a node found in the run that is looked at, else in the last whole one; null where neither came to it. */
export async function foundBy(node: string): Promise<JsonObject | null> {
  const { runId, whole, only } = get();
  const found = only === null || only === node ? await givenTo(runId, node) : null;
  return found ?? (whole === runId ? null : givenTo(whole, node));
}

/** Save what is unsaved. Raises where the server does not have what is on screen. */
export async function saveForRun(): Promise<void> {
  await saveAll();
  const { save, saveError } = useEditor.getState();
  if (save === 'offline' || save === 'failed')
    throw new Error(
      `The draft could not be saved, and a run would not be what you see. ${saveError}`,
    );
}

/** Start a run of the draft as it is on screen, and look at it. Does nothing while one is being started. */
export async function startTest(): Promise<void> {
  const { input, starting } = get();
  if (starting) return;
  touchAll();
  const found = checked(input, inputsNow());
  if ('problems' in found) return set({ open: true, tab: 'input', problems: found.problems });
  await startWith(found.value);
}

const startWith = (value: Json): Promise<void> =>
  begin(async (graphId) => {
    const { until, input } = get();
    const body: RunStart = {
      draft: true,
      input: value,
      ...(input.budget ? { budget_usd: input.budget } : {}),
      ...(until ? { until } : {}),
      ...trialOf(useEditor.getState().records.nodes),
    };
    await saveForRun();
    return api.post<RunSummary>(`graphs/${graphId}/runs/`, body, {
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
  });

/** Run one node alone: on what is `given`, else on what it found last. */
export async function runAlone(node: string, given: JsonObject | null = null): Promise<void> {
  if (get().starting) return;
  await begin(async (graphId) => {
    const last = given ?? (await foundBy(node));
    const found = last ? null : checked(get().input, inputsNow());
    const begun: JsonObject = found && 'value' in found ? { input: found.value } : {};
    const kept =
      last && !given && 'input' in last
        ? { ...last, input: refitted(last.input ?? null, get().input, inputsNow()) }
        : last;
    await saveForRun();
    return startAlone(graphId, { draft: true, only: node, given: kept ?? begun });
  }, node);
}

/** Start a run and look at it; null says that the person thought better of it. */
export async function begin(
  start: (graphId: string) => Promise<RunSummary | null>,
  only: string | null = null,
): Promise<void> {
  const { graphId } = get();
  touchAll();
  set({ starting: true, refusal: '', blocks: [], problems: [], open: true });
  try {
    const run = await start(graphId);
    if (get().graphId !== graphId) return;
    if (run) attach(run.id, { only });
    else set({ starting: false });
  } catch (error) {
    if (get().graphId === graphId) refuse(error);
  }
}

function refuse(error: unknown): void {
  const found = error instanceof ApiError ? refusalAt(error.message, inputsNow()) : null;
  const blocks = error instanceof ApiError ? error.problems : [];
  set({
    starting: false,
    tab: 'input',
    problems: found ? [found] : [],
    refusal: found ? '' : messageOf(error),
    blocks: found ? [] : blocks.filter(({ severity }) => severity === 'error'),
  });
}
