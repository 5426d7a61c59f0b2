import { Alert, Button, Group, Modal } from '@mantine/core';
import type { Interrupt } from '../../../../api/types/types.ts';
import { calledOf } from '../../names.ts';
import type { ItemOutcome } from '../../rhythm/courier/courier.ts';
import { counted } from './bulk.ts';
import classes from './bulk.module.css';

interface RefusedProps {
  /** All that the request was about: of the list those that were done have left by now. */
  sent: readonly Interrupt[];
  refused: readonly ItemOutcome[];
  /** What was done with the others. */
  done: string;
  onClose: () => void;
}

/** What a request about many items left as it was, each with the reason. */
export function Refused({ sent, refused, done, onClose }: RefusedProps) {
  const names = new Map(sent.map((item) => [item.request_id, calledOf(item)]));
  const others = sent.length - refused.length;
  const stayed = refused.length === 1 ? 'stayed as it was' : 'stayed as they were';
  return (
    <Modal opened onClose={onClose} title={`${counted(others)} ${done}`} size="lg">
      <Alert color="yellow" title={`${counted(refused.length)} ${stayed}`}>
        <ul className={classes.refused}>
          {refused.map(({ id, detail }) => (
            <li key={id}>
              {names.get(id) ?? 'An item'}: {detail}
            </li>
          ))}
        </ul>
      </Alert>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
