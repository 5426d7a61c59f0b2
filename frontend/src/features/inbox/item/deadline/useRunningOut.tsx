import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Interrupt } from '../../../../api/types/types.ts';
import { formatDuration } from '../../../../ui/format/format.ts';
import { calledOf } from '../../names.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long before its deadline somebody who looks at an item is told. */
export const TOLD_MS = 5 * MINUTE;
const SHOWN_MS = 30_000;
/** The longest wait that a browser's timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Deadlines that were told of: each once, however often its item is opened. */
const told = new Set<string>();

/**
 * Tell who looks at an item that its time runs out, some minutes before.
 *
 * `ask`: the way to more time, where there is one: a question back stops the clock.
 */
export function useRunningOut(item: Interrupt, active: boolean, ask: (() => void) | null): void {
  const { request_id: id, expires_at: until } = item;
  const now = useRef({ item, ask });
  useLayoutEffect(() => {
    now.current = { item, ask };
  });
  useEffect(() => {
    const key = `deadline-${id}-${until ?? ''}`;
    if (!active || until === null || told.has(key)) return undefined;
    const wait = Date.parse(until) - Date.now() - TOLD_MS;
    if (wait > LONGEST_MS || wait < -TOLD_MS) return undefined;
    const timer = setTimeout(
      () => {
        told.add(key);
        show(key, now.current.item, now.current.ask);
      },
      Math.max(0, wait),
    );
    return () => {
      clearTimeout(timer);
      notifications.hide(key);
    };
  }, [id, until, active]);
}

function show(key: string, item: Interrupt, ask: (() => void) | null): void {
  const left = Date.parse(item.expires_at ?? '') - Date.now();
  const time =
    left < MINUTE
      ? 'Less than a minute'
      : formatDuration(Math.floor((left + SECOND) / MINUTE) * MINUTE);
  notifications.show({
    id: key,
    color: 'yellow',
    // On a phone the verbs stand at the foot, where notices come up: this one leaves them free.
    position: matchMedia('(max-width: 760px)').matches ? 'top-center' : 'bottom-right',
    autoClose: SHOWN_MS,
    title: `${time} left to decide this`,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <span>
          {calledOf(item)}
          {ask ? '. A question back stops its clock.' : ''}
        </span>
        {ask ? (
          <Button
            size="compact-sm"
            variant="default"
            flex="none"
            onClick={() => {
              notifications.hide(key);
              ask();
            }}
          >
            Ask back
          </Button>
        ) : null}
      </Group>
    ),
  });
}
