import { ActionIcon, Button, Group, Menu, Popover, Select, TextInput } from '@mantine/core';
import { IconBookmarkPlus, IconDots } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../../api/http/client.ts';
import {
  changeSample,
  deleteSample,
  type Sample,
  samplesQuery,
  saveSample,
} from '../../../../api/http/samples.ts';
import type { Json } from '../../../../api/types/types.ts';
import { useEditor } from '../../../../store/editor.ts';
import { confirm } from '../../../../ui/confirm.tsx';
import { useEscape } from '../../../../ui/keys/useEscape.ts';
import { checked, withValue } from './testInput.ts';
import classes from '../testrun.module.css';
import { chooseSample, enter, useTesting } from '../testing.ts';

/** What stands in the input as a value; undefined while it is none. */
function useValue(): Json | undefined {
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const input = useTesting((state) => state.input);
  const found = checked(input, inputs);
  if ('value' in found) return found.value;
  return input.how === 'form' ? input.form : undefined;
}

/** The named inputs of this workflow: one is chosen, kept, renamed or deleted. */
export function Samples() {
  const graphId = useTesting((state) => state.graphId);
  const chosen = useTesting((state) => state.sample);
  const mayEdit = useEditor((state) => state.can.edit);
  const { data: samples = [] } = useQuery({ ...samplesQuery(graphId), enabled: graphId !== '' });
  const sample = samples.find(({ id }) => id === chosen) ?? null;
  const choose = (id: string | null) => {
    const found = samples.find((each) => each.id === id);
    chooseSample(found?.id ?? null);
    const inputs = useEditor.getState().records.settings.interface?.inputs;
    if (found) enter(withValue(useTesting.getState().input, found.input, inputs));
  };
  return (
    <Group gap={6} wrap="nowrap">
      {samples.length > 0 ? (
        <Select
          size="xs"
          w={180}
          aria-label="Sample"
          placeholder="Choose a sample"
          data={samples.map(({ id, name }) => ({ value: id, label: name }))}
          value={sample?.id ?? null}
          onChange={choose}
        />
      ) : null}
      {mayEdit && sample ? <Tools key={sample.id} graphId={graphId} sample={sample} /> : null}
      {mayEdit ? <KeepAs graphId={graphId} /> : null}
    </Group>
  );
}

/** A change of samples; the list is read again after it. */
function useChange<T>(graphId: string, change: (of: T) => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['samples', graphId] });
      onDone?.();
    },
  });
}

interface NameProps {
  words: string;
  begin: string;
  pending: boolean;
  error: unknown;
  onName: (name: string) => void;
}

function NameForm({ words, begin, pending, error, onName }: NameProps) {
  const [name, setName] = useState(begin);
  return (
    <form
      className={classes.nameForm}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) onName(name.trim());
      }}
    >
      <TextInput
        size="xs"
        label="Name of the sample"
        data-autofocus
        maxLength={80}
        value={name}
        error={error ? messageOf(error) : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" loading={pending} disabled={!name.trim()}>
        {words}
      </Button>
    </form>
  );
}

function KeepAs({ graphId }: { graphId: string }) {
  const [open, setOpen] = useState(false);
  useEscape(open, () => setOpen(false));
  const value = useValue();
  const save = useChange(
    graphId,
    async (name: string) => chooseSample((await saveSample(graphId, name, value ?? null)).id),
    () => setOpen(false),
  );
  return (
    <Popover opened={open} onChange={setOpen} trapFocus withinPortal position="top-start">
      <Popover.Target>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconBookmarkPlus size={14} />}
          disabled={value === undefined}
          onClick={() => setOpen((before) => !before)}
        >
          Keep as a sample
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          words="Keep"
          begin=""
          pending={save.isPending}
          error={save.error}
          onName={(name) => save.mutate(name)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Tools({ graphId, sample }: { graphId: string; sample: Sample }) {
  const [renaming, setRenaming] = useState(false);
  useEscape(renaming, () => setRenaming(false));
  const value = useValue();
  const change = useChange(
    graphId,
    (fields: Partial<Pick<Sample, 'name' | 'input'>>) => changeSample(graphId, sample.id, fields),
    () => setRenaming(false),
  );
  const remove = useChange(graphId, async () => {
    const yes = await confirm({
      title: `Delete “${sample.name}”?`,
      text: 'The sample goes for everybody. Runs that were started with it stay.',
      confirm: 'Delete the sample',
      danger: true,
    });
    if (yes) await deleteSample(graphId, sample.id);
  });
  const same = JSON.stringify(value) === JSON.stringify(sample.input);
  return (
    <Popover opened={renaming} onChange={setRenaming} trapFocus withinPortal position="top-start">
      <Popover.Target>
        <span>
          <Menu position="top-start">
            <Menu.Target>
              <ActionIcon size={30} aria-label="Change the sample">
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                disabled={same || value === undefined}
                onClick={() => change.mutate({ input: value ?? null })}
              >
                Save the input into “{sample.name}”
              </Menu.Item>
              <Menu.Item onClick={() => setRenaming(true)}>Rename</Menu.Item>
              <Menu.Item color="red" onClick={() => remove.mutate(undefined)}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          words="Rename"
          begin={sample.name}
          pending={change.isPending}
          error={change.error}
          onName={(name) => change.mutate({ name })}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
