import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

const SHOWN_MS = 10_000;

/** Take away what was told of these. */
export const hideAll = (ids: readonly string[]): void =>
  ids.forEach((id) => notifications.hide(id));

/** Gives a way to tell on every page what was said to the person, with the way there. */
export function useTold(): (id: string, title: string, said: string, path: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (id, title, said, path) =>
      void notifications.show({
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
      }),
    [navigate],
  );
}
