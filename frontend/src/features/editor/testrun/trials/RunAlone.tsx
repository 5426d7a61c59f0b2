import { Button, JsonInput, Tooltip } from '@mantine/core';
import { IconCircleDot, IconPencil, IconPin, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { JsonObject } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import classes from '../testrun.module.css';
import { foundBy, runAlone, useTesting } from '../testing.ts';
import { toggleBreakpoint, togglePin, useTrials } from './trials.ts';

const objectOf = (text: string): JsonObject | null => {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as JsonObject)
      : null;
  } catch {
    return null;
  }
};

/** What can be tried with one node: alone, pinned, stood before. */
export function RunAlone({ node }: { node: string }) {
  const [text, setText] = useState<string | null>(null);
  const runId = useTesting((state) => state.runId);
  const starting = useTesting((state) => state.starting);
  const can = useEditor((state) => state.can);
  const pinned = useTrials((state) => state.pins.has(node));
  const stands = useTrials((state) => state.breakpoints.has(node));
  const written = text === null ? null : objectOf(text);
  const edit = async () => {
    const found = (await foundBy(node).catch(() => null)) ?? { input: null, memory: {} };
    setText(JSON.stringify(found, null, 2));
  };
  return (
    <div className={classes.trials}>
      <Tooltip label={<Kbd keys="Shift+R" />}>
        <Button
          size="compact-xs"
          leftSection={<IconPlayerPlay size={13} aria-hidden />}
          loading={starting}
          disabled={!can.run || (text !== null && written === null)}
          onClick={() => void runAlone(node, written)}
        >
          Run this node alone
        </Button>
      </Tooltip>
      {text === null ? (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPencil size={13} aria-hidden />}
          disabled={!can.run}
          onClick={() => void edit()}
        >
          Edit what it finds
        </Button>
      ) : (
        <Button size="compact-xs" variant="subtle" onClick={() => setText(null)}>
          As it was
        </Button>
      )}
      <Tooltip label={<Kbd keys="P" />}>
        <Button
          size="compact-xs"
          variant={pinned ? 'light' : 'default'}
          aria-pressed={pinned}
          leftSection={<IconPin size={13} aria-hidden />}
          disabled={!can.edit}
          onClick={() => void togglePin(node, runId)}
        >
          {pinned ? 'Unpin' : 'Pin its answer'}
        </Button>
      </Tooltip>
      <Tooltip label={<Kbd keys="B" />}>
        <Button
          size="compact-xs"
          variant={stands ? 'light' : 'default'}
          aria-pressed={stands}
          leftSection={<IconCircleDot size={13} aria-hidden />}
          disabled={!can.run}
          onClick={() => toggleBreakpoint(node)}
        >
          {stands ? 'Do not stop here' : 'Stop before it'}
        </Button>
      </Tooltip>
      {text === null ? null : (
        <JsonInput
          className={classes.given}
          aria-label="What it finds"
          value={text}
          onChange={setText}
          error={written === null ? 'Write one JSON object: input, memory, outputs, previous' : ''}
          autosize
          minRows={4}
          maxRows={14}
        />
      )}
    </div>
  );
}
