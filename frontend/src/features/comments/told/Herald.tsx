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

/** Tells on every page of what comments say to the person, while it is open. */
export function Herald() {
  const navigate = useNavigate();
  const tell = useCallback(
    (fresh: readonly Mention[]) => {
      const show = (title: string, said: string, path: string) => {
        const id = notifications.show({
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
      };
      if (fresh.length > MOST)
        show(`${commentsWord(fresh.length)} for you`, fresh.map(saidTo).join(' · '), '/mentions');
      else
        for (const one of fresh)
          show(saidTo(one), one.excerpt, threadPath(one.graph.id, one.thread));
    },
    [navigate],
  );
  useHerald(tell);
  return null;
}
