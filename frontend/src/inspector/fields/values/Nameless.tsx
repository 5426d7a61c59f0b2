import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
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
  /** Where one goes on from the box, by keys. */
  onward: () => void;
}

/** One answer that has no name: a button that becomes the box for it. */
function Naming({ node, onName, onward }: NamingProps) {
  const [name, setName] = useState<string | null>(null);
  const [wrong, setWrong] = useState('');
  /** Left by a key: the button has the focus again. */
  const [left, setLeft] = useState(false);
  const of = node.label || node.id;
  const close = (byKey: boolean) => {
    setName(null);
    setLeft(byKey);
  };
  const take = (byKey: boolean) => {
    const typed = name?.trim() ?? '';
    const key = fieldName(typed);
    if (typed && !key) return setWrong('A name needs a letter or a digit.');
    if (!key) return close(byKey);
    // The box is gone before the focus moves: leaving it would take the name once more.
    flushSync(() => {
      close(false);
      onName(key);
    });
    return byKey ? onward() : undefined;
  };
  if (name === null)
    return (
      <Button
        size="compact-xs"
        variant="light"
        maw="100%"
        autoFocus={left}
        leftSection={<IconPlus size={13} aria-hidden />}
        onClick={() => {
          setName('');
          setWrong('');
        }}
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
      error={wrong}
      onChange={(event) => {
        setName(event.currentTarget.value);
        setWrong('');
      }}
      onBlur={() => take(false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take(true);
        else if (event.key === 'Escape') close(true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

interface NamelessProps {
  onKey: (key: string) => void;
  /** Give the focus to where the names stand, once there is no more to be named. */
  onward: () => void;
}

/** Where only fields can be shown: the steps before whose answers have no name yet, each with a way to name it here. */
export function Nameless({ onKey, onward }: NamelessProps) {
  const { node, readOnly } = useForm();
  const root = useRef<HTMLDivElement>(null);
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
  // the box would open its choices over the buttons: it comes last
  const next = () => {
    const button = root.current?.querySelector('button');
    if (button) button.focus();
    else onward();
  };
  return (
    <div className={classes.uses} ref={root}>
      {found.map((each) => (
        <Naming key={each.id} node={each} onName={named(each.id)} onward={next} />
      ))}
    </div>
  );
}
