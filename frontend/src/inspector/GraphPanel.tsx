import { ActionIcon, Button, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { AgentDoc, JsonObject, JsonSchema } from '../api/types/types.ts';
import { withRecords } from '../graph/document/diff.ts';
import { freeId, type SettingName, type Settings, START } from '../graph/document/document.ts';
import { agentSchema, graphSchema, outputsSchema } from '../graph/schema/nodeSchema.ts';
import { useEditor } from '../store/editor.ts';
import { useForm } from './form/context.ts';
import classes from './inspector.module.css';
import { SchemaForm } from './form/SchemaForm.tsx';
import { Section } from './Section.tsx';
import { FieldsPanel } from './tables/FieldsPanel.tsx';

const set = (settings: JsonObject) =>
  useEditor.getState().edit((records) => {
    const names = Object.keys(graphSchema.properties) as SettingName[];
    const changed = names.filter((name) => settings[name] !== (records.settings[name] as unknown));
    return withRecords(
      records,
      changed.map((name) => ({ kind: 'setting', id: name, value: settings[name] ?? null })),
    );
  });

const setAgents = (label: string | null, agents: AgentDoc[]) => {
  const change = (records: Parameters<typeof withRecords>[0]) =>
    withRecords(records, [{ kind: 'setting', id: 'agents', value: agents }]);
  if (label) useEditor.getState().gesture(label, change);
  else useEditor.getState().edit(change);
};

function Agents({ agents }: { agents: AgentDoc[] }) {
  const { readOnly } = useForm();
  const add = () =>
    setAgents('Add agent', [
      ...agents,
      {
        id: freeId('agent', new Set(agents.map((agent) => agent.id))),
        model: 'local/default',
        system_prompt: '',
      },
    ]);
  return (
    <Stack gap={10}>
      <p className={classes.help} style={{ margin: 0 }}>
        Agents that the workflow brings along. An agent of the workspace with the same id wins.
      </p>
      {agents.map((agent, index) => (
        <div key={index} className={classes.item}>
          <ActionIcon
            size="xs"
            className={classes.removeItem}
            aria-label={`Remove agent ${agent.id}`}
            disabled={readOnly}
            onClick={() =>
              setAgents(
                'Remove agent',
                agents.filter((_, place) => place !== index),
              )
            }
          >
            <IconTrash size={13} />
          </ActionIcon>
          <SchemaForm
            schema={agentSchema}
            value={agent as unknown as JsonObject}
            path={`agents.${index}`}
            onChange={(value) =>
              setAgents(
                null,
                agents.map((other, place) =>
                  place === index ? (value as unknown as AgentDoc) : other,
                ),
              )
            }
          />
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} />}
        disabled={readOnly}
        onClick={add}
      >
        Add agent
      </Button>
    </Stack>
  );
}

const holds = (group: string | undefined) => (path: string) => {
  const schema: JsonSchema | undefined = graphSchema.properties[path.split('.')[0] as SettingName];
  return schema !== undefined && schema['x-group'] === group;
};

/** What callers give and get: the start's fields have their own place, the outputs are keys. */
function Interface({ settings }: { settings: Settings }) {
  const { inputs, outputs } = settings.interface ?? {};
  const count = Object.keys(inputs?.properties ?? {}).length;
  return (
    <Stack gap={12}>
      <div className={classes.agentRow}>
        <span className={classes.quiet}>
          {count === 1 ? '1 start field' : `${count} start fields`}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => useEditor.getState().select([START])}
        >
          Edit start fields
        </Button>
      </div>
      <SchemaForm
        schema={outputsSchema}
        value={outputs ? { outputs } : {}}
        path="interface"
        onChange={({ outputs: next }) => {
          const changed: JsonObject = { ...(settings.interface as JsonObject | null) };
          if (Array.isArray(next) && next.length > 0) changed['outputs'] = next;
          else Reflect.deleteProperty(changed, 'outputs');
          set({ ...(settings as unknown as JsonObject), interface: changed });
        }}
      />
    </Stack>
  );
}

/** What belongs to the graph as a whole: task, limits, memory, defaults, agents. */
export function GraphPanel({ settings }: { settings: Settings }) {
  const value = settings as unknown as JsonObject;
  // the section's name says what it is: no heading and no rule around it say it again
  const inside = (name: 'limits' | 'defaults') => (
    <SchemaForm
      schema={graphSchema.properties[name]}
      root={graphSchema}
      value={value[name] as JsonObject | undefined}
      onChange={(next) => set({ ...value, [name]: next })}
      path={name}
    />
  );
  return (
    <>
      <Section name="Task" startOpen holds={holds(undefined)}>
        <SchemaForm
          schema={graphSchema}
          value={value}
          onChange={set}
          only={(_, schema) => schema['x-group'] === undefined}
        />
      </Section>
      <Section
        name="Limits"
        startOpen
        holds={holds('Limits')}
        note={settings.limits?.budget_usd ? `${settings.limits.budget_usd} USD` : 'no budget'}
      >
        {inside('limits')}
      </Section>
      <Section
        name="Agents"
        holds={(path) => path.startsWith('agents')}
        note={String(settings.agents?.length ?? 0)}
      >
        <Agents agents={settings.agents ?? []} />
      </Section>
      <Section
        name="Fields"
        holds={holds('Memory')}
        note={String(Object.keys(settings.state_schema?.properties ?? {}).length)}
      >
        <Stack gap={12}>
          <p className={classes.help} style={{ margin: 0 }}>
            What nodes give and read while the workflow runs.
          </p>
          <FieldsPanel />
          <SchemaForm
            schema={graphSchema}
            value={value}
            onChange={set}
            only={(name) => name === 'initial_memory'}
          />
        </Stack>
      </Section>
      <Section name="Defaults" holds={holds('Defaults')}>
        {inside('defaults')}
      </Section>
      <Section
        name="Interface"
        holds={holds('Interface')}
        note={settings.interface ? 'declared' : 'none'}
      >
        <Interface settings={settings} />
      </Section>
    </>
  );
}
