import { ActionIcon, Button, Group, Modal, Tooltip } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { graphsQuery } from '../../../api/http/queries.ts';
import {
  channelsQuery,
  deleteRule,
  type Of,
  type Rule,
  rulesQuery,
} from '../../../api/http/workspace/telling.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { confirm } from '../../../ui/confirm.tsx';
import { Part } from '../Part.tsx';
import { useTelling } from '../useTelling.ts';
import { ruleText } from '../words.ts';
import { RuleForm } from './RuleForm.tsx';
import classes from '../telling.module.css';

/** The rules: what is told where, and when. */
export function RuleList({ of }: { of: Of }) {
  const channels = useQuery(channelsQuery(of)).data ?? [];
  const { data, error, refetch } = useQuery(rulesQuery(of));
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  const close = () => setEditing(null);
  if (channels.length === 0) return null;
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      Add a rule
    </Button>
  );
  return (
    <Part
      title="Rules"
      text="What is told where. Without a rule a channel is told nothing."
      action={add}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="Rules">
          {data.map((rule) => (
            <RuleRow key={rule.id} rule={rule} of={of} onEdit={() => setEditing(rule)} />
          ))}
        </ul>
      ) : null}
      <Modal
        opened={editing !== null}
        onClose={close}
        title={editing === 'new' ? 'New rule' : 'Change the rule'}
        size="lg"
      >
        {editing ? (
          <RuleForm
            of={of}
            channels={channels}
            {...(editing === 'new' ? {} : { rule: editing })}
            onDone={close}
          />
        ) : null}
      </Modal>
    </Part>
  );
}

function RuleRow({ rule, of, onEdit }: { rule: Rule; of: Of; onEdit: () => void }) {
  const { mutate } = useTelling(of);
  const graphs = useQuery({ ...graphsQuery(), enabled: rule.graph !== null }).data ?? [];
  const workflow = graphs.find((graph) => graph.id === rule.graph)?.name;
  const line = ruleText(rule, rule.graph === null ? undefined : (workflow ?? 'one workflow'));
  const remove = async () => {
    const text = 'Nothing more is told by it. What was told stays in the list below.';
    if (await confirm({ title: 'Remove this rule?', text, confirm: 'Remove', danger: true }))
      mutate(() => deleteRule(rule.id));
  };
  return (
    <li>
      <div className={classes.rowMain}>{line}</div>
      <Group gap="xs" className={classes.rowTools}>
        <Tooltip label="Change">
          <ActionIcon aria-label={`Change: ${line}`} onClick={onEdit}>
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Remove">
          <ActionIcon aria-label={`Remove: ${line}`} onClick={() => void remove()}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </li>
  );
}
