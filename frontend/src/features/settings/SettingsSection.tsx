import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/http/client.ts';
import { confirm } from '../../ui/confirm.tsx';
import classes from './settings.module.css';

/** One part of the settings: what it is, its main action, its content. */
export function SettingsSection({
  title,
  text,
  action,
  children,
}: {
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.sectionHead}>
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** Why something was not saved. */
export function SaveProblem({ error }: { error: Error | null }) {
  return error ? (
    <Text c="var(--gw-red)" size="sm" role="alert">
      {messageOf(error)}
    </Text>
  ) : null;
}

/** Save something and ask again for the list that shows it; a failure is told. */
export function useSave<Input>(
  key: QueryKey,
  save: (input: Input) => Promise<unknown>,
  onDone?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: key });
      onDone?.();
    },
  });
}

/** Delete after asking. */
export function useRemove(key: QueryKey, remove: (id: string) => Promise<unknown>) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: remove,
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  return async (id: string, question: { title: string; text: string; confirm: string }) => {
    if (await confirm({ ...question, danger: true })) mutation.mutate(id);
  };
}
