import { Switch, TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { JsonObject, JsonSchema, NodeDoc, NodeTypeInfo } from '../api/types/types.ts';
import { withRecords } from '../graph/document/diff.ts';
import { withAnswers } from '../graph/fields/gives/answers.ts';
import { type Group, groups, nodeSchema } from '../graph/schema/nodeSchema.ts';
import { renameNode } from '../graph/editing/operations.ts';
import { resolve } from '../graph/schema/schema.ts';
import { useEditor } from '../store/editor.ts';
import { formatUsd } from '../ui/format/format.ts';
import { AgentFields } from './AgentFields.tsx';
import { NodeCures } from './cures/NodeCures.tsx';
import { renameThroughout } from './cures/renaming.ts';
import { normalPath, useForm } from './form/context.ts';
import { FieldLabel, Words } from './fields/Frame.tsx';
import classes from './inspector.module.css';
import { More } from './form/More.tsx';
import { SchemaForm, seldom } from './form/SchemaForm.tsx';
import { Section } from './Section.tsx';
import { Gives } from './tables/Gives.tsx';
import { lazyOnDemand } from '../ui/page/lazy/lazy.ts';

const WaysOn = lazyOnDemand(() => import('./wires/WaysOn.tsx'));
const Branches = lazyOnDemand(() => import('./wires/Branches.tsx'));
const groupOf = (schema: JsonSchema): string => schema['x-group'] ?? 'Settings';
const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What a folded group says about itself. */
function noteOf(group: Group, node: NodeDoc): string {
  switch (group) {
    case 'Access':
      return `${counted(node.read_keys?.length ?? 0, 'read')}, ${counted(node.write_keys?.length ?? 0, 'write')}`;
    case 'Reliability':
      return `${node.failure_policy?.max_retries ?? 3} retries${node.disabled ? ', disabled' : ''}`;
    case 'Budget':
      return node.budget?.max_cost_usd
        ? formatUsd(node.budget.max_cost_usd)
        : node.budget?.max_tokens
          ? `${node.budget.max_tokens.toLocaleString('en')} tokens`
          : 'none';
    case 'Memory':
      return node.memory_query ? 'recalls facts' : 'none';
    case 'Notes':
      return node.human_description || node.description || 'none';
    case 'Settings':
      return '';
  }
}

/** Whether a group would offer only what has no effect on a node: who waits for people spends and recalls nothing. */
function isIdle(group: Group, node: NodeDoc, type: NodeTypeInfo | undefined): boolean {
  if (group === 'Budget') return type?.asks_people === true && !node.budget;
  return group === 'Memory' && type?.prompts === false && !node.memory_query;
}

function IdField({ node }: { node: NodeDoc }) {
  const { readOnly } = useForm();
  const [text, setText] = useState(node.id);
  const [wrong, setWrong] = useState('');
  const finish = async () => {
    if (text === node.id) return setWrong('');
    const { records, types, select } = useEditor.getState();
    if (renameNode(records, node.id, text, types) === records)
      return setWrong(
        records.nodes.has(text)
          ? 'Another node has this id.'
          : 'Letters, digits, - and _; a letter first.',
      );
    setWrong('');
    const done = await renameThroughout(
      { kind: 'node', from: node.id, to: text },
      'Change id',
      (now) => renameNode(now, node.id, text, types),
    );
    if (done) select([text]);
    else setText(node.id);
  };
  return (
    <TextInput
      size="xs"
      label="Id"
      value={text}
      error={wrong}
      disabled={readOnly}
      classNames={{ input: 'gw-mono' }}
      description="How expressions name it. All that name it follow."
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => void finish()}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}

/** Marks a node as dangerous in its metadata; where check found a danger by itself, says which. */
function DangerField({
  node,
  onChange,
}: {
  node: NodeDoc;
  onChange: (metadata: JsonObject) => void;
}) {
  const { readOnly } = useForm();
  const found = useEditor((state) => state.dangers.find((danger) => danger.node === node.id));
  const marked = node.metadata?.['dangerous'] === true;
  const mark = (on: boolean) => {
    const metadata = { ...node.metadata };
    if (on) metadata['dangerous'] = true;
    else Reflect.deleteProperty(metadata, 'dangerous');
    onChange(metadata);
  };
  return (
    <Switch
      size="xs"
      disabled={readOnly}
      checked={marked}
      onChange={(event) => mark(event.currentTarget.checked)}
      label={
        <FieldLabel
          label="Dangerous step"
          help="Every way to it should pass an approval or a verifier. Steps that change something outside are dangerous without being marked."
        />
      }
      description={found && found.kind !== 'marked' ? `${found.why}.` : undefined}
    />
  );
}

/** Everything about one node: the config by its type's schema, then what every node has. */
export function NodeInspector({ node, type }: { node: NodeDoc; type: NodeTypeInfo | undefined }) {
  const { problems } = useForm();
  const edit = (change: Partial<NodeDoc>) => {
    const { edit: apply, types } = useEditor.getState();
    apply((records) => {
      const current = records.nodes.get(node.id);
      if (!current) return records;
      const value = { ...current, ...change };
      const next = withRecords(records, [{ kind: 'node', id: node.id, value }]);
      return 'write_keys' in change ? withAnswers(records, next, types) : next;
    });
  };
  const root = type?.config_schema ?? {};
  const more = seldom(root, node.config);
  const inGroup = (group: Group) => (_: string, schema: JsonSchema) => {
    const own = groupOf(resolve(schema, root));
    return own === group || (group === 'Settings' && !(groups as readonly string[]).includes(own));
  };
  const holds = (group: Group) => (raw: string) => {
    const path = normalPath(raw);
    const name = (/\bconfig\.(\w+)/.exec(path) ?? [])[1];
    if (name) return inGroup(group)(name, root.properties?.[name] ?? {});
    const field = Object.entries(nodeSchema.properties ?? {}).find(([key]) =>
      path.split('.').includes(key),
    );
    return field ? groupOf(field[1]) === group : group === 'Settings';
  };
  const problemIn = (group: Group) =>
    (['error', 'warning'] as const).find((severity) =>
      problems.some((problem) => problem.severity === severity && holds(group)(problem.path)),
    ) ?? null;
  return [
    <NodeCures key="cures" problems={problems} />,
    ...groups.map((group) => {
      const config = Object.entries(root.properties ?? {}).some(([name, schema]) =>
        inGroup(group)(name, schema),
      );
      if (!config && isIdle(group, node, type)) return null;
      return (
        <Section
          key={group}
          name={group}
          note={noteOf(group, node)}
          startOpen={group === 'Settings'}
          problem={problemIn(group)}
          holds={holds(group)}
        >
          {group === 'Settings' && type?.help ? (
            <p className={classes.help}>
              <Words text={type.help.replaceAll('<id>', node.id)} />
            </p>
          ) : null}
          <div style={{ display: 'grid', gap: 12 }}>
            {group === 'Settings' && type?.handles.some(({ kind }) => kind === 'dynamic') ? (
              <Suspense>
                <Branches node={node} />
              </Suspense>
            ) : null}
            {config ? (
              <SchemaForm
                schema={root}
                value={node.config}
                onChange={(value) => edit({ config: value })}
                path="config"
                only={(name, schema) => inGroup(group)(name, schema) && !more.names.has(name)}
              />
            ) : null}
            {group === 'Settings' && type?.writes_data ? <Gives node={node} /> : null}
            {group === 'Settings' ? (
              <Suspense>
                <WaysOn node={node} />
              </Suspense>
            ) : null}
            {group === 'Settings' && type ? <AgentFields node={node} type={type} /> : null}
            {group === 'Settings' && more.names.size > 0 ? (
              <More
                name="More settings of this node"
                paths={[...more.names].map((name) => `config.${name}`)}
                set={more.set}
              >
                <SchemaForm
                  schema={root}
                  value={node.config}
                  onChange={(value) => edit({ config: value })}
                  path="config"
                  only={(name) => more.names.has(name)}
                />
              </More>
            ) : null}
            {group === 'Settings' ? (
              <IdField key={node.id} node={node} />
            ) : (
              <SchemaForm
                schema={nodeSchema}
                value={node as unknown as JsonObject}
                onChange={(value) => edit(value as unknown as Partial<NodeDoc>)}
                only={(_, schema) => schema['x-group'] === group}
              />
            )}
            {group === 'Reliability' ? (
              <DangerField node={node} onChange={(metadata) => edit({ metadata })} />
            ) : null}
          </div>
        </Section>
      );
    }),
  ];
}
