import { useState } from 'react';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { AgentDoc, JsonObject, NodeDoc, NodeTypeInfo } from '../api/types/types.ts';
import { agentField, ownAgentOf, withAgents } from '../graph/editing/ownAgents.ts';
import { agentSchema } from '../graph/schema/nodeSchema.ts';
import { useEditor } from '../store/editor.ts';
import { More } from './form/More.tsx';
import { SchemaForm, seldom } from './form/SchemaForm.tsx';
import classes from './inspector.module.css';

/** The agent that a node names, edited where the node is: its model, what it is told, its tools. Nothing for agents of the workspace. */
export function AgentFields({ node, type }: { node: NodeDoc; type: NodeTypeInfo }) {
  const field = agentField(type);
  const named = field ? node.config?.[field] : undefined;
  const agents = useEditor((state) => state.records.settings.agents);
  const shadowed = useEditor((state) => typeof named === 'string' && state.reserved.has(named));
  const alone = useEditor((state) => ownAgentOf(state.records, node.id) !== null);
  const [open, setOpen] = useState(true);
  const agent = agents?.find((entry) => entry.id === named);
  if (!agents || !agent || shadowed) return null;
  const change = (value: JsonObject) =>
    useEditor.getState().edit((records) =>
      withAgents(
        records,
        (records.settings.agents ?? []).map((entry) =>
          entry.id === agent.id ? (value as unknown as AgentDoc) : entry,
        ),
      ),
    );
  const path = `agents.${agents.indexOf(agent)}`;
  const value = agent as unknown as JsonObject;
  const form = { schema: agentSchema, value, path, onChange: change };
  const more = seldom(agentSchema, value);
  return (
    <div className={classes.nested}>
      <UnstyledButton
        className={classes.foldHead}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={13} aria-hidden />
        {alone ? 'This node’s own agent' : `Agent “${agent.id}”, shared in this workflow`}
      </UnstyledButton>
      {open ? (
        <>
          <SchemaForm {...form} only={(name) => name !== 'id' && !more.names.has(name)} />
          <More
            name="Temperature and longest answer"
            paths={[...more.names].map((name) => `${path}.${name}`)}
            set={more.set}
          >
            <SchemaForm {...form} only={(name) => more.names.has(name)} />
          </More>
        </>
      ) : null}
    </div>
  );
}
