import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Input,
  Modal,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPencil, IconPlus, IconRobot, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../api/http/client.ts';
import { agentsQuery, modelsQuery, toolsQuery } from '../../api/http/queries.ts';
import type { Agent } from '../../api/types/types.ts';
import { AskRules } from '../../inspector/fields/asks/AskRules.tsx';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import classes from './settings.module.css';
import { SettingsSection, useRemove, useSave } from './SettingsSection.tsx';
import ui from '../../ui/ui.module.css';

type Draft = Omit<Agent, 'used_by' | 'permissions' | 'max_tokens'>;
const fresh: Draft = {
  id: '',
  name: '',
  model: 'local/default',
  system_prompt: '',
  temperature: null,
  max_output_tokens: 2048,
  tools: [],
  ask: {},
};

/** Agents of the workspace: a model with a prompt, limits and tools. */
export function AgentSettings({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch } = useQuery(agentsQuery);
  const [editing, setEditing] = useState<{ draft: Draft; isNew: boolean } | null>(null);
  const remove = useRemove(agentsQuery.queryKey, (id) => api.delete(`agents/${id}/`));
  const add = canEdit ? (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => setEditing({ draft: fresh, isNew: true })}
    >
      New agent
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Agents"
      text="A named model with its prompt, limits and tools. A change reaches new runs only."
      action={data?.length ? add : null}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={4} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconRobot}
          title="No agents yet"
          text="Workflows may bring their own; agents made here can be used by every workflow."
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="Agents">
          {data.map((agent) => (
            <li key={agent.id}>
              <div className={classes.rowMain}>
                <Group gap={8}>
                  <b>{agent.name || agent.id}</b>
                  <span className="gw-mono">{agent.id}</span>
                </Group>
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {agent.system_prompt || 'No system prompt'}
                </Text>
                <Text size="xs" c="dimmed">
                  {agent.model} ·{' '}
                  {agent.temperature === null
                    ? 'temperature of the provider'
                    : `temperature ${agent.temperature}`}{' '}
                  · up to {agent.max_output_tokens.toLocaleString('en')} tokens
                  {agent.tools.length > 0 ? ` · ${agent.tools.join(', ')}` : ''}
                </Text>
              </div>
              {agent.used_by.length > 0 ? (
                <Badge color="gray">
                  {agent.used_by.length} {agent.used_by.length === 1 ? 'workflow' : 'workflows'}
                </Badge>
              ) : null}
              {canEdit ? (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    aria-label={`Edit ${agent.id}`}
                    onClick={() => setEditing({ draft: agent, isNew: false })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Delete ${agent.id}`}
                    onClick={() =>
                      void remove(agent.id, {
                        title: `Delete ${agent.id}?`,
                        text:
                          agent.used_by.length > 0
                            ? `${agent.used_by.length} workflows use it; new runs of them will not start. Runs under way keep it.`
                            : 'No workflow uses it. This cannot be undone.',
                        confirm: 'Delete',
                      })
                    }
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing?.isNew ? 'New agent' : `Agent ${editing?.draft.id ?? ''}`}
        size="lg"
      >
        {editing ? (
          <AgentForm key={editing.draft.id} {...editing} onDone={() => setEditing(null)} />
        ) : null}
      </Modal>
    </SettingsSection>
  );
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');

function AgentForm({ draft, isNew, onDone }: { draft: Draft; isNew: boolean; onDone: () => void }) {
  const [agent, setAgent] = useState(draft);
  const { data: models } = useQuery(modelsQuery);
  const { data: tools } = useQuery(toolsQuery);
  const { id, name, model, system_prompt, temperature, max_output_tokens, tools: chosen } = agent;
  const { ask } = agent;
  const body = { name, model, system_prompt, temperature, max_output_tokens, tools: chosen, ask };
  const save = useSave(
    agentsQuery.queryKey,
    () =>
      isNew
        ? api.post('agents/', { id: id || slug(name), ...body })
        : api.patch(`agents/${id}/`, body),
    onDone,
  );
  const set = (part: Partial<Draft>) => setAgent({ ...agent, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const known = [
    { value: 'local/default', label: 'Default of the workspace' },
    ...(models?.models ?? []).map((each) => ({
      value: each.id,
      label: each.available ? each.id : `${each.id} (not reachable)`,
    })),
  ];
  const data = known.some((each) => each.value === model)
    ? known
    : [...known, { value: model, label: model }];
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            value={name}
            data-autofocus
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          {isNew ? (
            <TextInput
              label="Id"
              placeholder={slug(name)}
              value={id}
              onChange={(event) => set({ id: event.currentTarget.value })}
            />
          ) : null}
        </Group>
        <Select
          label="Model"
          searchable
          allowDeselect={false}
          data={data}
          value={model}
          onChange={(value) => set({ model: value ?? model })}
        />
        <Textarea
          label="System prompt"
          minRows={4}
          maxRows={14}
          value={system_prompt}
          onChange={(event) => set({ system_prompt: event.currentTarget.value })}
        />
        <Group grow align="flex-start">
          <NumberInput
            label="Temperature"
            placeholder="of the provider"
            min={0}
            max={2}
            step={0.1}
            decimalScale={2}
            value={temperature ?? ''}
            onChange={(value) => set({ temperature: typeof value === 'number' ? value : null })}
          />
          <NumberInput
            label="Longest answer, in tokens"
            min={1}
            allowDecimal={false}
            value={max_output_tokens}
            onChange={(value) =>
              set({ max_output_tokens: typeof value === 'number' ? value : 2048 })
            }
          />
        </Group>
        <TagsInput
          label="Tools"
          description="Names, or prefixes that end with *"
          data={(tools ?? []).map((tool) => tool.name)}
          value={chosen}
          onChange={(value) => set({ tools: value })}
        />
        <Input.Wrapper label="Ask a person before" labelElement="div">
          <Stack gap={8} mt={4}>
            <AskRules
              rules={ask}
              tools={chosen}
              known={tools ?? []}
              readOnly={false}
              problem={() => undefined}
              onChange={(rules) => set({ ask: rules ?? {} })}
            />
          </Stack>
        </Input.Wrapper>
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
