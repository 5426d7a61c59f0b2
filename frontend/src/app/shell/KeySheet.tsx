import {
  ActionIcon,
  Alert,
  Group,
  Modal,
  Switch,
  Text,
  TextInput,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { IconArrowBackUp, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import {
  type Action,
  allActions,
  alsoOn,
  keysOf,
  rebind,
  useRegistry,
} from '../../actions/registry.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { keysFrom } from '../../ui/keys/keys.ts';
import classes from './shell.module.css';

const useOpen = create(() => ({ opened: false }));

/** Show every shortcut of this page. */
export const openKeySheet = () => useOpen.setState({ opened: true });

function byGroup(actions: Action[]): [string, Action[]][] {
  const groups = new Map<string, Action[]>();
  for (const action of actions)
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return [...groups];
}

/** Hears the next stroke before anything else does. Escape ends it without a change. */
function useNextStroke(listening: boolean, onKeys: (keys: string | null) => void): void {
  useEffect(() => {
    if (!listening) return;
    const hear = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const keys = event.key === 'Escape' ? null : keysFrom(event);
      if (keys !== null || event.key === 'Escape') onKeys(keys);
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, [listening, onKeys]);
}

interface RowProps {
  action: Action;
  listening: boolean;
  onListen: () => void;
}

function Row({ action, listening, onListen }: RowProps) {
  const registry = useRegistry();
  const keys = keysOf(action, registry);
  const own = registry.rebound[action.id] !== undefined;
  return (
    <Group justify="space-between" wrap="nowrap" mih={28} gap={8}>
      <Text size="sm" c="dimmed">
        {action.label}
      </Text>
      <Group gap={4} wrap="nowrap">
        {own ? (
          <Tooltip label="Back to the usual keys">
            <ActionIcon
              size="sm"
              aria-label={`Usual keys for ${action.label}`}
              onClick={() => rebind(action.id, null)}
            >
              <IconArrowBackUp size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {keys.length > 0 && listening ? (
          <Tooltip label="No keys">
            <ActionIcon
              size="sm"
              aria-label={`No keys for ${action.label}`}
              onClick={() => rebind(action.id, [])}
            >
              <IconX size={14} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        {action.native ? (
          <span className={classes.keys}>
            {keys.slice(0, 2).map((each) => (
              <Kbd key={each} keys={each} />
            ))}
          </span>
        ) : (
          <UnstyledButton
            className={classes.keys}
            data-listening={listening}
            title={`Change the keys for ${action.label}`}
            aria-description={`Changes the keys for ${action.label}`}
            onClick={onListen}
          >
            {listening
              ? 'Press keys'
              : keys.length > 0
                ? keys.slice(0, 2).map((each) => <Kbd key={each} keys={each} />)
                : 'None'}
          </UnstyledButton>
        )}
      </Group>
    </Group>
  );
}

/** The `?` sheet, drawn from the action registry: every shortcut of this page, to look up and to change. */
export function KeySheet() {
  const opened = useOpen((state) => state.opened);
  const registry = useRegistry();
  const [search, setSearch] = useState('');
  const [listening, setListening] = useState<string | null>(null);
  const [taken, setTaken] = useState('');
  const wanted = search.toLowerCase();
  const actions = allActions(registry).filter(
    (action) =>
      `${action.label} ${action.also ?? ''}`.toLowerCase().includes(wanted) &&
      ((action.keys?.length ?? 0) > 0 ||
        registry.rebound[action.id] !== undefined ||
        wanted !== ''),
  );
  const give = (keys: string | null) => {
    const id = listening;
    setListening(null);
    if (keys === null || id === null) return;
    const others = alsoOn(keys, id);
    for (const other of others)
      rebind(
        other.id,
        keysOf(other).filter((each) => each !== keys),
      );
    setTaken(
      others.length > 0
        ? `${others.map((other) => `“${other.label}”`).join(', ')} gave these keys up.`
        : '',
    );
    rebind(id, [keys]);
  };
  const close = () => {
    useOpen.setState({ opened: false });
    setSearch('');
  };
  useNextStroke(opened && listening !== null, give);
  return (
    <Modal
      opened={opened}
      onClose={close}
      closeOnEscape={listening === null}
      title="Keyboard shortcuts"
      size="xl"
    >
      <TextInput
        data-autofocus
        mb="md"
        size="xs"
        placeholder="Search"
        aria-label="Search shortcuts"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {taken ? (
        <Alert
          mb="md"
          color="orange"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setTaken('')}
        >
          {taken}
        </Alert>
      ) : null}
      <div className={classes.sheet}>
        {byGroup(actions).map(([group, rows]) => (
          <section key={group}>
            <Title order={3} size="h4" mb={4}>
              {group}
            </Title>
            {rows.map((action) => (
              <Row
                key={action.id}
                action={action}
                listening={listening === action.id}
                onListen={() => setListening(action.id)}
              />
            ))}
          </section>
        ))}
      </div>
      <Switch
        mt="lg"
        label="Shortcuts of a single key"
        checked={registry.singleKeys}
        onChange={(event) => useRegistry.setState({ singleKeys: event.currentTarget.checked })}
      />
    </Modal>
  );
}
