import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../api/http/lists.ts';
import type { Json } from '../api/types/types.ts';
import { isId, namesOf } from '../run/values/people.ts';
import { inexact } from '../run/values/typedNumber.ts';
import { visible } from '../run/values/visible.ts';
import { formatExact } from '../ui/format/format.ts';
import classes from './value.module.css';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** A member by their name; the id of anything else as it is. */
function Person({ id }: { id: string }) {
  const { data } = useQuery(membersQuery);
  const known = data?.some(({ user }) => user.id === id);
  return <span title={id}>{known ? namesOf(data ?? [])(id) : id}</span>;
}

function wordsOf(name: string, value: Json) {
  if (value === null) return 'nothing';
  if (typeof value === 'number') return inexact(value) ?? String(value);
  if (typeof value !== 'string') return String(value);
  if (isId(value)) return <Person id={value} />;
  const isMoment = name.endsWith('_at') && MOMENT.test(value);
  return isMoment ? <span title={value}>{formatExact(new Date(value))}</span> : visible(value);
}

/** One plain value; who and when are said as people say them. `name` is the field that it stands in. */
export function Leaf({ name, value }: { name: string; value: Json }) {
  return (
    <span className={classes.leaf} dir="auto" data-type={value === null ? 'null' : typeof value}>
      {wordsOf(name, value)}
    </span>
  );
}
