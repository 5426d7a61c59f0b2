import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface Question {
  title: string;
  text: ReactNode;
  confirm: string;
  danger?: boolean;
  /** What the other button says. */
  cancel?: string;
}
interface ConfirmState {
  question: Question | null;
  answer: ((yes: boolean) => void) | null;
}

const useConfirmStore = create<ConfirmState>(() => ({ question: null, answer: null }));

/** Ask before something that cannot be undone. Gives true when the person says yes. */
export function confirm(question: Question): Promise<boolean> {
  useConfirmStore.getState().answer?.(false);
  return new Promise((resolve) => useConfirmStore.setState({ question, answer: resolve }));
}

/** The dialog behind `confirm`; mounted once. */
export function ConfirmDialog() {
  const { question, answer } = useConfirmStore();
  const close = (yes: boolean) => {
    answer?.(yes);
    useConfirmStore.setState({ question: null, answer: null });
  };
  return (
    <Modal
      opened={question !== null}
      onClose={() => close(false)}
      title={question?.title}
      size="sm"
      zIndex={400}
    >
      <Text size="md" c="dimmed">
        {question?.text}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => close(false)}>
          {question?.cancel ?? 'Cancel'}
        </Button>
        <Button
          color={question?.danger ? 'red' : undefined}
          onClick={() => close(true)}
          data-autofocus
        >
          {question?.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
