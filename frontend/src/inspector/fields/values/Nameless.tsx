import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeDoc } from '../../../api/types/types.ts';
import { fieldName } from '../../../graph/fields/fields.ts';
import { withAnswers } from '../../../graph/fields/gives/answers.ts';
import { namelessBefore, withAnswerNamed } from '../../../graph/fields/gives/nameless.ts';
import { useEditor } from '../../../store/editor.ts';
import { useForm } from '../../form/context.ts';
import classes from './values.module.css';

interface NamingProps {
  node: NodeDoc;
  /** The answer has a name now. */
  onName: (name: string) => void;
}

/** One answer that has no name: a button that becomes the box for it. */
function Naming({ node, onName }: NamingProps) {
  const [name, setName] = useState<string | null>(null);
  const of = node.label || node.id;
  const take = () => {
    const key = fieldName(name ?? '');
    setName(null);
    if (key) onName(key);
  };
  if (name === null)
    return (
      <Button
        size="compact-xs"
        variant="light"
        maw="100%"
        leftSection={<IconPlus size={13} aria-hidden />}
        onClick={() => setName('')}
      >
        Name what {of} gives
      </Button>
    );
  return (
    <TextInput
      size="xs"
      w="100%"
      autoFocus
      aria-label={`Name of what ${of} gives`}
      placeholder={`What ${of} gives, such as summary`}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
        else if (event.key === 'Escape') setName(null);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** Where only fields can be shown: the steps before whose answers have no name yet, each with a way to name it here. */
export function Nameless({ onKey }: { onKey: (key: string) => void }) {
  const { node, readOnly } = useForm();
  const records = useEditor((state) => state.records);
  const types = useEditor((state) => state.types);
  const found = node === null || readOnly ? [] : namelessBefore(records, types, node);
  if (found.length === 0) return null;
  const named = (id: string) => (name: string) => {
    const { edit, commit } = useEditor.getState();
    commit('Edit');
    edit((now) => withAnswers(now, withAnswerNamed(now, id, name), types));
    onKey(name);
    commit('Name an answer');
  };
  return (
    <div className={classes.uses}>
      {found.map((each) => (
        <Naming key={each.id} node={each} onName={named(each.id)} />
      ))}
    </div>
  );
}
