import { Button } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Problem } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { cureOf } from '../cures.ts';
import { enter, startTest, useTesting } from '../testing.ts';
import { shownAs } from './testInput.ts';
import classes from '../testrun.module.css';

const SHOWN = 3;

const inputsNow = () => useEditor.getState().records.settings.interface?.inputs;

/** Show the form and put the cursor into the first field that was not there `before`. */
function enterFresh(tab: ParentNode | null, before: ReadonlySet<string>): void {
  const inputs = inputsNow();
  flushSync(() => enter(shownAs(useTesting.getState().input, 'form', inputs)));
  const fresh = Object.keys(inputs?.properties ?? {}).find((name) => !before.has(name)) ?? '';
  [...(tab?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    .find((field) => field.dataset['field'] === fresh)
    ?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]')
    ?.focus();
}

/** Why a run was not started, and the cure where there is one. */
export function Refused() {
  const refusal = useTesting((state) => state.refusal);
  const blocks = useTesting((state) => state.blocks);
  const box = useRef<HTMLDivElement>(null);
  if (!refusal) return null;
  const cure = cureOf(blocks);
  const run = () => {
    const before = new Set(Object.keys(inputsNow()?.properties ?? {}));
    const tab = box.current?.parentElement ?? null;
    cure?.apply();
    if (cure?.asks) enterFresh(tab, before);
    else void startTest();
  };
  return (
    <div ref={box} className={classes.refusal} role="alert">
      <p>{refusal}</p>
      {blocks.length > 0 ? (
        <ul>
          {blocks.slice(0, SHOWN).map((problem) => (
            <Block key={`${problem.path} ${problem.message}`} problem={problem} />
          ))}
          {blocks.length > SHOWN ? (
            <li>and {blocks.length - SHOWN} more, in the problems</li>
          ) : null}
        </ul>
      ) : null}
      {cure ? (
        <Button size="xs" variant="light" onClick={run}>
          {cure.asks ? cure.words : `${cure.words} and run`}
        </Button>
      ) : null}
    </div>
  );
}

/** What is wrong, and at which card. */
function Block({ problem: { node, say, message } }: { problem: Problem }) {
  const label = useEditor((state) => node && (state.records.nodes.get(node)?.label || node));
  return (
    <li>
      {label ? <strong>{label}: </strong> : null}
      {say ?? message}
    </li>
  );
}
