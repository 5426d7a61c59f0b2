import {
  ActionIcon,
  Button,
  Menu,
  Popover,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import {
  IconArrowForwardUp,
  IconHandStop,
  IconMessageQuestion,
  IconMoon,
  type Icon,
} from '@tabler/icons-react';
import {
  type ComponentPropsWithRef,
  type FormEvent,
  type KeyboardEvent,
  useMemo,
  useState,
} from 'react';
import { type Action, useActions } from '../../../../actions/registry.ts';
import { messageOf } from '../../../../api/http/client.ts';
import { useSession } from '../../../../api/http/queries.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import { confirm } from '../../../../ui/confirm.tsx';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import { useEscape } from '../../../../ui/keys/useEscape.ts';
import { formatExact } from '../../../../ui/format/format.ts';
import { snoozeChoices } from '../../people.ts';
import { useHasDraft } from '../../rhythm/drafts.ts';
import { useConductor, useRhythm } from '../../rhythm/conductor.ts';
import classes from '../item.module.css';
import { saySnoozed } from './saySnoozed.tsx';
import { type ItemVerbs, useItemVerbs } from './useItemVerbs.ts';

interface ItemToolsProps {
  item: Interrupt;
  shortcuts: boolean;
  onAsk: () => void;
}

/** What can be done with an item without deciding it, beside its title. */
export function ItemTools({ item, shortcuts, onAsk }: ItemToolsProps) {
  const conductor = useConductor();
  const isPicking = useRhythm(({ picks }) => picks.size > 0);
  const id = item.request_id;
  const verbs = useItemVerbs(item, (until, wake) => {
    saySnoozed(until, () => {
      wake();
      conductor?.dispatch({ type: 'withdrawn', ids: [id] });
    });
    conductor?.dispatch({ type: 'answered', id });
  });
  const [delegating, setDelegating] = useState(false);
  const { data: session } = useSession();
  const [snoozing, setSnoozing] = useState(false);
  useEscape(snoozing, () => setSnoozing(false));
  const mine = item.claim !== null && item.claim.by.id === session?.user?.id;
  const claim = () => void toggleClaim(item, verbs, mine);
  const sleep = () => (item.snoozed_until ? verbs.wake() : setSnoozing(true));
  useItemKeys(shortcuts && !isPicking, {
    claim,
    sleep,
    ask: onAsk,
    delegate: () => setDelegating(true),
  });
  const key = (keys: string) => (shortcuts ? keys : undefined);
  return (
    <>
      {verbs.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(verbs.error)}
        </Text>
      ) : null}
      <div className={classes.tools} role="group" aria-label="Without deciding">
        <Tool
          icon={IconHandStop}
          label={mine ? 'Let go of it' : 'Claim'}
          keys={key('C')}
          active={mine}
          onClick={claim}
        />
        <Menu
          opened={snoozing}
          onChange={setSnoozing}
          position="bottom-end"
          withinPortal
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <Tool
              icon={IconMoon}
              label={item.snoozed_until ? 'Show again now' : 'Snooze'}
              keys={key('Z')}
              active={item.snoozed_until !== null}
              onClick={sleep}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <SnoozeItems item={item} verbs={verbs} />
          </Menu.Dropdown>
        </Menu>
        <Delegate
          item={item}
          verbs={verbs}
          open={delegating}
          setOpen={setDelegating}
          keys={key('D')}
        />
        <Tool icon={IconMessageQuestion} label="Ask" keys={key('I')} onClick={onAsk} />
      </div>
    </>
  );
}

interface ToolProps extends Omit<ComponentPropsWithRef<'button'>, 'color' | 'style'> {
  icon: Icon;
  label: string;
  keys?: string | undefined;
  active?: boolean;
  onClick: () => void;
}

/** A button that a menu or popover may hang on: what they say of it reaches the button itself. */
function Tool({ icon: Glyph, label, keys, active = false, onClick, ...rest }: ToolProps) {
  return (
    <Tooltip
      label={
        <>
          {label} {keys ? <Kbd keys={keys} /> : null}
        </>
      }
    >
      <ActionIcon
        {...rest}
        size="lg"
        variant={active ? 'light' : 'subtle'}
        color={active ? undefined : 'gray'}
        aria-label={label}
        aria-pressed={active || undefined}
        onClick={onClick}
      >
        <Glyph size={18} stroke={1.8} />
        <span className={classes.toolName}>{label}</span>
      </ActionIcon>
    </Tooltip>
  );
}

function SnoozeItems({ item, verbs }: { item: Interrupt; verbs: ItemVerbs }) {
  const choices = snoozeChoices(new Date(), item.expires_at);
  if (choices.length === 0) return <Menu.Label>It ends too soon to be snoozed</Menu.Label>;
  return choices.map((choice, place) => (
    <Menu.Item
      key={choice.label}
      data-autofocus={place === 0 || undefined}
      title={formatExact(choice.until)}
      onClick={() => verbs.snooze(choice.until)}
    >
      {choice.label}
    </Menu.Item>
  ));
}

async function toggleClaim(item: Interrupt, verbs: ItemVerbs, mine: boolean): Promise<void> {
  if (mine) return verbs.unclaim();
  if (item.claim === null) return verbs.claim();
  const question = {
    title: `Take it over from ${item.claim.by.name}?`,
    text: 'They see that you have it now. Both of you can still decide.',
    confirm: 'Take it over',
  };
  if (await confirm(question)) verbs.claim(true);
}

interface DelegateProps {
  item: Interrupt;
  verbs: ItemVerbs;
  open: boolean;
  setOpen: (open: boolean) => void;
  keys: string | undefined;
}

function Delegate({ item, verbs, open, setOpen, keys }: DelegateProps) {
  const [to, setTo] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const hasDraft = useHasDraft(item);
  useEscape(open, () => setOpen(false));
  const send = () => {
    if (to === null) return;
    verbs.delegate(to, note);
    setOpen(false);
    setTo(null);
    setNote('');
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={280}
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Tool
          icon={IconArrowForwardUp}
          label="Delegate"
          keys={keys}
          onClick={() => setOpen(!open)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        {item.eligible.length === 0 ? (
          <Text size="sm">Nobody else can decide this.</Text>
        ) : (
          <Stack
            component="form"
            gap="xs"
            onSubmit={(event: FormEvent) => {
              event.preventDefault();
              send();
            }}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault(); // once, whatever the browser makes of it in a form
              send();
            }}
          >
            <Select
              label="Ask to decide"
              placeholder="A person who may decide it"
              data-autofocus
              searchable
              comboboxProps={{ withinPortal: false }}
              data={item.eligible.map((person) => ({ value: person.id, label: person.name }))}
              value={to}
              onChange={setTo}
            />
            <TextInput
              label="Note"
              placeholder="Why them"
              maxLength={1000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            {hasDraft ? (
              <Text size="xs" c="dimmed">
                What you wrote here stays with you. They see the item as it was asked.
              </Text>
            ) : null}
            <Button size="xs" type="submit" disabled={to === null}>
              Delegate
            </Button>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface Keys {
  claim: () => void;
  sleep: () => void;
  ask: () => void;
  delegate: () => void;
}

function useItemKeys(active: boolean, { claim, sleep, ask, delegate }: Keys): void {
  const actions = useMemo<Action[]>(
    () =>
      active
        ? [
            {
              id: 'inbox.claim',
              label: 'Claim, or let go',
              group: 'Inbox',
              keys: ['C'],
              run: claim,
            },
            {
              id: 'inbox.snooze',
              label: 'Snooze, or show again',
              group: 'Inbox',
              keys: ['Z'],
              run: sleep,
            },
            {
              id: 'inbox.ask',
              label: 'Ask before you decide',
              group: 'Inbox',
              keys: ['I'],
              run: ask,
            },
            {
              id: 'inbox.delegate',
              label: 'Delegate',
              group: 'Inbox',
              keys: ['D'],
              run: delegate,
            },
          ]
        : [],
    [active, claim, sleep, ask, delegate],
  );
  useActions(actions);
}
