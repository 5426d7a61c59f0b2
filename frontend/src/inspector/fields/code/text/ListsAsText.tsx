import { Anchor } from '@mantine/core';
import { listsIn, withCommas } from '../../../../graph/fields/listText.ts';
import type { NameInfo } from '../../../../graph/schema/names.ts';
import { useEditor } from '../../../../store/editor.ts';
import classes from '../../../inspector.module.css';

interface ListsProps {
  text: string;
  names: readonly NameInfo[];
  onChange: (text: string) => void;
}

/** A list alone keeps its kind in some fields, and what begins as JSON is. */
const MEANT = /^\s*(\{\{[^{}]*\}\}\s*$|\[|\{(?!\{))/;

/** Says that a list stands as JSON in a text, and writes it with commas. */
export function ListsAsText({ text, names, onChange }: ListsProps) {
  const lists = listsIn(text, names);
  if (lists.length === 0 || MEANT.test(text)) return null;
  const many = lists.length > 1;
  return (
    <p className={classes.listsNow}>
      {lists.map(({ name }) => name).join(', ')} {many ? 'are lists' : 'is a list'}, written here as
      JSON.{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        underline="always"
        onClick={() => {
          onChange(withCommas(text, lists));
          useEditor.getState().commit('Write lists with commas');
        }}
      >
        Write {many ? 'them' : 'it'} with commas
      </Anchor>
    </p>
  );
}
