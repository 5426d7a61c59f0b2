import { Checkbox, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { Json, JsonSchema } from '../../api/types/types.ts';
import { sampleOf, withKeyword, withSample } from '../../graph/fields/fields.ts';
import { asKind, type FieldKind, kindOf, kindWords } from '../../graph/fields/kinds.ts';
import { DecimalBox } from '../fields/numbers/DecimalBox.tsx';
import { FieldTable } from './FieldTable.tsx';
import type { FieldRowProps, PropertyChange } from './FieldRow.tsx';
import classes from './tables.module.css';

interface Part {
  name: string;
  schema: JsonSchema;
  kind: FieldKind | null;
  readOnly: boolean;
  onProperty: PropertyChange;
}

const texts = (value: Json | undefined) => (Array.isArray(value) ? value.map(String) : []);

/** An example of what the field holds, asked for as its kind is. */
function Sample({ schema, kind, readOnly, onProperty, name }: Part) {
  const value = sampleOf(schema);
  const set = (sample: Json | undefined) => onProperty((now) => withSample(now, sample));
  const common = {
    size: 'xs' as const,
    label: 'Sample',
    'aria-label': `Sample of ${name}`,
    disabled: readOnly,
  };
  const plain = typeof value === 'string' ? value : '';
  switch (kind) {
    case null:
    case 'group':
      return null;
    case 'number':
    case 'money':
      return (
        <DecimalBox
          {...common}
          hideControls
          value={typeof value === 'number' ? value : undefined}
          onChange={set}
        />
      );
    case 'boolean':
    case 'one':
      return (
        <NativeSelect
          {...common}
          data={[
            { value: '', label: 'None' },
            ...(kind === 'one'
              ? texts(schema.enum).map((option) => ({ value: option, label: option }))
              : [
                  { value: 'true', label: 'Yes' },
                  { value: 'false', label: 'No' },
                ]),
          ]}
          value={value === undefined ? '' : String(value)}
          onChange={(event) => {
            const next = event.currentTarget.value;
            if (kind === 'one') set(next === '' ? undefined : next);
            else set(next === '' ? undefined : next === 'true');
          }}
        />
      );
    case 'list':
      return kindOf(schema.items) === 'text' ? (
        <TagsInput
          {...common}
          value={texts(value)}
          onChange={(next) => set(next.length > 0 ? next : undefined)}
        />
      ) : null;
    case 'long':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={10}
          value={plain}
          onChange={(event) => set(event.currentTarget.value || undefined)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={kind === 'date' ? 'date' : 'text'}
          value={plain}
          onChange={(event) => set(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** The fields inside a group. */
function Inner({ name, schema, readOnly, onProperty }: Omit<Part, 'kind'>) {
  return (
    <FieldTable
      schema={schema}
      label={`Fields of ${name}`}
      readOnly={readOnly}
      onChange={(edit, label) => onProperty((now) => edit(now), label)}
    />
  );
}

const itemKinds = Object.entries(kindWords)
  .filter(([kind]) => kind !== 'list')
  .map(([value, label]) => ({ value, label }));

/** What a list holds. */
function Items(part: Part) {
  const { name, schema, readOnly, onProperty } = part;
  const items = schema.items ?? {};
  const kind = kindOf(items);
  const ofItems: PropertyChange = (edit, label) =>
    onProperty((now) => withKeyword(now, 'items', edit(now.items ?? {})), label);
  return (
    <>
      <NativeSelect
        size="xs"
        label="List of"
        aria-label={`What ${name} is a list of`}
        data={kind === 'list' ? [...itemKinds, { value: 'list', label: 'Lists' }] : itemKinds}
        value={kind ?? 'text'}
        disabled={readOnly}
        onChange={(event) => {
          const next = event.currentTarget.value as FieldKind;
          ofItems((now) => asKind(now, next), 'Change type');
        }}
      />
      {kind === 'one' || kind === 'group' ? (
        <Beside name={name} schema={items} kind={kind} readOnly={readOnly} onProperty={ofItems} />
      ) : null}
    </>
  );
}

/** What a kind needs besides its name: the values of a choice, the fields of a group, what a list holds. */
function Beside(part: Part) {
  const { name, schema, kind, readOnly, onProperty } = part;
  if (kind === 'group') return <Inner {...part} />;
  if (kind === 'list') return <Items {...part} />;
  if (kind !== 'one') return null;
  return (
    <TagsInput
      size="xs"
      label="Values"
      aria-label={`Values of ${name}`}
      placeholder={texts(schema.enum).length === 0 ? 'Type and press Enter' : ''}
      value={texts(schema.enum)}
      disabled={readOnly}
      onChange={(values) => onProperty((now) => withKeyword(now, 'enum', values), 'Change values')}
    />
  );
}

/** Everything about a field but its name and kind. */
export function FieldDetails(props: FieldRowProps) {
  const { field, readOnly, more, asksRequired, onRequired, onProperty } = props;
  const { name, schema, kind } = field;
  if (kind === null)
    return (
      <>
        <pre className={classes.raw}>{JSON.stringify(schema, null, 2)}</pre>
        {more?.(field)}
      </>
    );
  const part = { name, schema, kind, readOnly, onProperty };
  return (
    <>
      <Beside {...part} />
      <TextInput
        size="xs"
        label="Description"
        aria-label={`Description of ${name}`}
        value={schema.description ?? ''}
        disabled={readOnly}
        onChange={(event) => {
          const words = event.currentTarget.value;
          onProperty((now) => withKeyword(now, 'description', words || undefined));
        }}
      />
      <Sample {...part} />
      {asksRequired ? (
        <Checkbox
          size="xs"
          label="Required"
          aria-label={`${name} is required`}
          checked={field.required}
          disabled={readOnly}
          onChange={(event) => onRequired(event.currentTarget.checked)}
        />
      ) : null}
      {more?.(field)}
    </>
  );
}
