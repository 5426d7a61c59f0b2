import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { type Action, alsoOn, useActions } from '../../actions/registry.ts';
import { api, messageOf } from '../../api/http/client.ts';
import { askAgain } from '../../api/live/askAgain.ts';
import type { Page } from '../../api/types/types.ts';
import { type HeldGo, lastHeld, tellHeld, useHeldGoes } from '../../store/inbox/heldGoes.ts';
import { useNow } from '../../ui/format/useNow.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { heldQuery } from './heldQuery.ts';
import classes from './heldElsewhere.module.css';

const KEYS = 'Mod+Z';
const UNDO = 'app.takeBack';

/** Takes a go back; what was sent meanwhile stays. */
function useTakeBack(): (go: HeldGo) => Promise<void> {
  const client = useQueryClient();
  return async ({ ids, text }) => {
    tellHeld(useHeldGoes.getState().goes.filter((go) => go.ids !== ids));
    try {
      const { results } = await api.post<Page<{ state: string }>>('interrupts/withdraw/', { ids });
      const isBack = results.length > 0 && results.every(({ state }) => state === 'withdrawn');
      notifications.show(
        isBack
          ? { title: 'Taken back', message: `${text}: open in the inbox again.` }
          : {
              color: 'red',
              title: 'It was sent already',
              message: 'This cannot be taken back any more.',
            },
      );
    } catch (error) {
      notifications.show({
        color: 'red',
        title: 'It was not taken back',
        message: messageOf(error),
      });
    }
    askAgain(client, 'interrupts');
  };
}

/** What was decided in the inbox and can still be taken back, on the pages beside it. */
export function HeldElsewhere() {
  const { pathname } = useLocation();
  const goes = useHeldGoes((state) => state.goes);
  const isElsewhere = !/^\/inbox(\/|$)/.test(pathname);
  useQuery({ ...heldQuery, enabled: isElsewhere });
  const now = useNow(isElsewhere && goes.length > 0, 500);
  const last = isElsewhere ? lastHeld(goes, now) : null;
  const takeBack = useTakeBack();
  const actions = useMemo<Action[]>(
    () =>
      last === null
        ? []
        : [
            {
              id: UNDO,
              label: 'Take the last decision back',
              group: 'General',
              keys: [KEYS],
              run: () => void takeBack(last),
            },
          ],
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [last],
  );
  useActions(actions);
  if (last === null) return null;
  // Where the page takes something of its own back by the same keys, that comes first.
  const isKeyed = alsoOn(KEYS, UNDO).every((action) => action.enabled?.() === false);
  return (
    <div className={classes.place}>
      <div className={classes.bar} role="group" aria-label="Decided in the inbox">
        <span role="status">{last.text}</span>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowBackUp size={14} />}
          rightSection={isKeyed ? <Kbd keys={KEYS} /> : undefined}
          onClick={() => void takeBack(last)}
        >
          {last.ids.length > 1 ? 'Undo all' : 'Undo'}
          {last.until === null ? '' : ` ${Math.max(0, Math.round((last.until - now) / 1_000))} s`}
        </Button>
      </div>
    </div>
  );
}
