import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import type { Mention } from '../../../api/types/types.ts';
import { useHerald } from './useHerald.ts';
import { commentsWord, saidTo, threadPath } from './words.ts';

const SHOWN_MS = 10_000;
/** So many are told one by one; more of them together. */
const MOST = 2;

const hideAll = (ids: readonly string[]): void => ids.forEach((id) => notifications.hide(id));

/** Tells on every page of what comments say to the person, while it is open. */
export function Herald() {
  const navigate = useNavigate();
  const tell = useCallback(
    (fresh: readonly Mention[]) => {
      const show = (id: string, title: string, said: string, path: string) =>
        notifications.show({
          id,
          autoClose: SHOWN_MS,
          title,
          message: (
            <>
              <Text size="sm" lineClamp={2} mb={6}>
                {said}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  notifications.hide(id);
                  void navigate(path);
                }}
              >
                Open
              </Button>
            </>
          ),
        });
      const [newest] = fresh;
      const all = fresh.map(saidTo).join(' · ');
      if (newest && fresh.length > MOST)
        show(newest.id, `${commentsWord(fresh.length)} for you`, all, '/mentions');
      else
        for (const one of fresh)
          show(one.id, saidTo(one), one.excerpt, threadPath(one.graph.id, one.thread));
    },
    [navigate],
  );
  useHerald(tell, hideAll);
  return null;
}
