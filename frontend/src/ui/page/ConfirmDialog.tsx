import { Button, Group, Modal, Text } from '@mantine/core';
import { useConfirmStore } from '../confirm.tsx';

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
