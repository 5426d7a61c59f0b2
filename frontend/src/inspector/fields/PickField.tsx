import { Anchor, MultiSelect, Select, type ComboboxItem, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { FieldProps } from '../form/field.ts';
import { type FormScene, type Option, useForm } from '../form/context.ts';
import { DEFAULT_MODEL } from '../../graph/editing/ownAgents.ts';
import classes from '../inspector.module.css';
import { newAgent } from './newAgent.ts';
import { useInputProps } from './Frame.tsx';
import { WithKeys } from './values/WithKeys.tsx';

/** The workspace's default model, and which one that is now. */
function workspaceDefault({ models, defaultModel }: FormScene): Option {
  const now = models.find((model) => model.id === defaultModel)?.label || defaultModel;
  const named = now && now !== DEFAULT_MODEL;
  return {
    value: DEFAULT_MODEL,
    label: named ? `Default: ${now}` : 'Workspace default',
    hint: named ? 'of the workspace, follows the settings' : 'none is chosen in the settings yet',
  };
}

const options: Record<string, (scene: FormScene) => readonly Option[]> = {
  agent: (scene) =>
    scene.agents.map((agent) => ({
      value: agent.id,
      label: agent.own && agent.id === scene.node ? 'Its own' : agent.name || agent.id,
      hint: agent.own ? 'of this workflow' : agent.model,
    })),
  model: (scene) => [
    workspaceDefault(scene),
    ...scene.models
      .filter((model) => model.id !== DEFAULT_MODEL)
      .map((model) => ({
        value: model.id,
        label: model.label || model.id,
        hint: model.available ? model.provider : 'not available',
      })),
  ],
  tool: (scene) =>
    scene.tools.map((tool) => ({ value: tool.name, label: tool.name, hint: tool.description })),
  handler: (scene) =>
    scene.functions.map((item) => ({ value: item.name, label: item.name, hint: item.description })),
  credential: (scene) =>
    scene.credentials.map((item) => ({
      value: item.name,
      label: item.name,
      hint: item.hosts.join(', '),
    })),
  graph: (scene) => scene.graphs,
  node: (scene) => scene.nodes,
  key: (scene) =>
    scene.keys.map((info) => ({
      value: info.key,
      label: info.key,
      hint: info.writers.length ? `written by ${info.writers.join(', ')}` : 'nobody writes it',
    })),
};
const plural: Record<string, string> = { tools: 'tool', nodes: 'node', agents: 'agent' };

/** Whether this widget is a choice of things that exist. */
export const isPick = (widget: string) => widget in options || widget in plural;

const matches: OptionsFilter = ({ options: items, search }) => {
  const word = search.trim().toLowerCase();
  return (items as ComboboxItem[]).filter(
    (item) =>
      item.value === freshAgent.value || `${item.label} ${item.value}`.toLowerCase().includes(word),
  );
};

function useChoices(widget: string, chosen: readonly string[]): Option[] {
  const scene = useForm();
  const known = [...(options[plural[widget] ?? widget]?.(scene) ?? [])];
  const missing = chosen.filter(
    (value) => value && !known.some((option) => option.value === value),
  );
  return [
    ...new Map(
      [...known, ...missing.map((value) => ({ value, label: value, hint: 'not found' }))].map(
        (option) => [option.value, option],
      ),
    ).values(),
  ];
}

function row(choices: readonly Option[]) {
  return function Row({ option }: { option: ComboboxItem }) {
    const hint = choices.find((choice) => choice.value === option.value)?.hint;
    return (
      <span className={classes.option}>
        <span>{option.label}</span>
        {hint ? <span className={`${classes.hint} gw-truncate`}>{hint}</span> : null}
      </span>
    );
  };
}

/** Makes an agent instead of choosing one; no agent has such an id. */
const freshAgent: Option = { value: '+', label: '+ New agent', hint: 'with the default model' };

/** Where more of a kind are made. */
const MADE_AT: Readonly<Record<string, { to: string; words: string }>> = {
  model: { to: '/settings/models', words: 'Add a server or a key' },
  credential: { to: '/settings/credentials', words: 'Add a credential' },
  tool: { to: '/settings/tools', words: 'Add tools' },
};

/** What is said where there is nothing to choose, and how one gets to have some. */
const NONE_YET: Readonly<Record<string, string>> = {
  tool: 'There are no tools yet.',
  credential: 'No credential is kept yet.',
  handler: 'No function is installed here. Whoever runs the server can add some.',
  graph: 'There is no other workflow yet. Make one first.',
  node: 'There is no other step yet. Add one on the canvas first.',
  key: 'No field is named yet. Name one in the table of what a step gives.',
};

interface NoneSuchProps {
  widget: string;
  choices: readonly Option[];
  /** How many of them are chosen, where several may be. */
  chosen?: number;
}

/** That there is none, or none that is called so, and where one makes such a thing. */
function NoneSuch({ widget, choices, chosen = 0 }: NoneSuchProps) {
  const made = MADE_AT[widget];
  if (chosen > 0 && chosen === choices.length) return 'All of them are chosen.';
  return (
    <>
      {(choices.length === 0 && NONE_YET[widget]) || `No ${widget} by that name.`}{' '}
      {made ? (
        <Anchor component={Link} to={made.to} size="sm">
          {made.words}
        </Anchor>
      ) : null}
    </>
  );
}

/** One thing that exists: an agent, a tool, a handler, a node, a graph, a credential, a key, a model. */
export function PickField({ widget, ...field }: FieldProps & { widget: string }) {
  const current = typeof field.value === 'string' ? field.value : null;
  const choices = [
    ...useChoices(widget, current ? [current] : []),
    ...(widget === 'agent' ? [freshAgent] : []),
  ];
  const pick = (next: string | null) => {
    if (next === freshAgent.value) newAgent(field.onChange);
    else field.onChange(next ?? undefined);
  };
  const input = useInputProps(field);
  const select = (
    <Select
      {...input}
      searchable
      clearable={!field.required}
      filter={matches}
      data={choices.map(({ value, label }) => ({ value, label }))}
      value={current}
      placeholder={`Choose ${/^[aeiou]/.test(widget) ? 'an' : 'a'} ${widget}`}
      renderOption={row(choices)}
      nothingFoundMessage={<NoneSuch widget={widget} choices={choices} />}
      onChange={pick}
    />
  );
  return widget === 'key' ? (
    <WithKeys field={field} onKey={field.onChange}>
      {select}
    </WithKeys>
  ) : (
    select
  );
}

/** Several things that exist. Tools may be written with a leading `+` or `-` to add to the default set or take from it. */
export function PickManyField({ widget, ...field }: FieldProps & { widget: string }) {
  const chosen = Array.isArray(field.value) ? field.value.map(String) : [];
  const choices = useChoices(widget, chosen);
  const [open, setOpen] = useState(false);
  return (
    <MultiSelect
      {...useInputProps(field)}
      searchable
      dropdownOpened={open}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onOptionSubmit={() => setOpen(false)}
      filter={matches}
      data={choices.map(({ value, label }) => ({ value, label }))}
      value={chosen}
      renderOption={row(choices)}
      placeholder={chosen.length === 0 ? `Choose ${widget}` : ''}
      hidePickedOptions
      nothingFoundMessage={
        <NoneSuch widget={plural[widget] ?? widget} choices={choices} chosen={chosen.length} />
      }
      onChange={field.onChange}
    />
  );
}
