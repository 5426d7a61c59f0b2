/** What is foreseen, in words. */

import type { Foresight, ForeseenStep } from './queries.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function waitOf(ms: unknown): string {
  const minutes = Number(ms) / 60_000;
  if (minutes < 1) return `waits ${Math.round(minutes * 60)} s`;
  return minutes < 120 ? `waits ${Math.round(minutes)} min` : `waits ${Math.round(minutes / 60)} h`;
}

/** What a step does, after its name. */
export function doesOf({ does, call }: ForeseenStep): string {
  switch (does) {
    case 'http':
      return 'sends';
    case 'tool':
      return `calls the tool ${text(call.tool)} with`;
    case 'graph':
      return `runs the workflow ${text(call.graph)} with`;
    case 'approval':
      return 'asks for another approval:';
    case 'ask':
      return 'asks somebody:';
    case 'wait':
      return waitOf(call.duration_ms);
    case 'model':
      return 'asks a model; nobody knows its answer before';
    case 'function':
      return `runs the function ${text(call.name)}; what it does shows when it runs`;
    case 'undo':
      return `is taken back: ${text(call.name)}`;
    case 'fails':
      return 'would fail:';
    default:
      return 'runs; what it does shows when it runs';
  }
}

const OUTSIDE = new Set(['unsafe', 'keyed', 'probe']);

/** Whether a step can be taken back once it has run; empty where nothing outside changes. */
export function backOf(step: ForeseenStep): string {
  if (step.does === 'undo' || !OUTSIDE.has(step.effect_class ?? '')) return '';
  return step.undo ? 'Taken back by the workflow if it fails later' : 'Cannot be taken back';
}

/** Whether a step should not be reached by accident. */
export const isGrave = (step: ForeseenStep): boolean =>
  step.dangerous || (step.effect_class === 'unsafe' && step.does !== 'undo');

/** How the run ends with it; empty where it goes on. */
export function endOf({ ends, steps, why }: Foresight): string {
  if (ends === 'completed') return 'The run is done then.';
  const lead = steps.length === 0 ? 'Nothing is sent; the run' : 'Then the run';
  if (ends) return `${lead} ends${why ? `: ${why}` : ''}.`;
  return steps.length === 0 ? `${lead} goes on.` : '';
}
