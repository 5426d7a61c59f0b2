import { Button, Group, NumberInput, Select, Switch } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/http/client.ts';
import { type SourceTool, toolPath } from '../../../api/http/workspace/tools/tools.ts';
import { SaveProblem, useSave } from '../SettingsSection.tsx';
import { effectWords, settable } from './effects.ts';
import classes from './tools.module.css';

/** What is set of one tool: on or off, what a lost call means, how long a call may take. */
export function ToolSetting({ tool }: { tool: SourceTool }) {
  const [on, setOn] = useState(tool.on);
  const [effect, setEffect] = useState<string>(tool.set_effect);
  const [seconds, setSeconds] = useState<number | string>(tool.timeout_s ?? '');
  const save = useSave(['tools'], () =>
    api.post(toolPath(tool.name, 'settings'), {
      on,
      effect,
      timeout_s: typeof seconds === 'number' ? seconds : null,
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const changed =
    on !== tool.on || effect !== tool.set_effect || (seconds || null) !== tool.timeout_s;
  const said = settable.find((each) => each.value === (effect || tool.declared_effect));
  const declared = effectWords[tool.declared_effect] ?? tool.declared_effect;
  return (
    <form onSubmit={submit} className={classes.setting} aria-label={`Settings of ${tool.name}`}>
      <Switch label="On" checked={on} onChange={(event) => setOn(event.currentTarget.checked)} />
      <Group gap="sm" align="flex-end">
        <Select
          label="What it does outside"
          description={said?.text}
          allowDeselect={false}
          data={[
            { value: '', label: `As its source says: ${declared}` },
            ...settable.map(({ value, label }) => ({ value, label })),
          ]}
          value={effect}
          onChange={(value) => setEffect(value ?? '')}
          className={classes.wide}
        />
        <NumberInput
          label="Seconds of one call"
          description="1 to 600; empty: as usual"
          min={1}
          max={600}
          allowDecimal={false}
          value={seconds}
          onChange={setSeconds}
        />
      </Group>
      <SaveProblem error={save.error} />
      {changed ? (
        <Group gap="xs">
          <Button type="submit" size="xs" loading={save.isPending}>
            Save
          </Button>
        </Group>
      ) : null}
    </form>
  );
}
