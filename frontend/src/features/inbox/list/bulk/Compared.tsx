import { Anchor, Table, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { runQuery } from '../../../../api/http/lists.ts';
import type { Interrupt, Json, JsonSchema } from '../../../../api/types/types.ts';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { isObject } from '../../../../run/values/json.ts';
import { visible } from '../../../../run/values/visible.ts';
import { MOST_STEPS, type OneStep, stepsOf } from '../../ahead/words.ts';
import { factText, formatted, numberText, schemasOf } from '../../decide/fields/fieldLook.ts';
import standing from '../../item/item.module.css';
import { runTitleOf, titleOf } from '../../names.ts';
import { type Column, compare, type Comparison, counted, EXACT } from './bulk.ts';
import classes from './bulk.module.css';
import { useBelow } from './useBelow.ts';

/** Characters from which on a text keeps its lines, of which the first stand in its cell. */
const LONG = 80;
/** Characters from which on a text takes room beside others, to stand in few lines. */
const WIDE = 32;
/** A date, and a moment of a day. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** What a field says, by its schema where that says how. */
function Cell({
  name,
  value,
  schema,
}: {
  name: string;
  value: Json | undefined;
  schema: JsonSchema | undefined;
}) {
  if (value === undefined) return <Text c="dimmed">–</Text>;
  const text =
    factText(name, value, schema) ?? (typeof value === 'object' ? null : visible(String(value)));
  if (text === null) return <ValueView value={value} />;
  return text.length > LONG ? (
    <Prose text={text} name={name} />
  ) : (
    <bdi
      className={text.length > WIDE ? classes.long : undefined}
      data-date={DATE.test(text) || undefined}
    >
      {text}
    </bdi>
  );
}

/** A text of which the first lines stand in the table, and all of it once it is asked for. */
function Prose({ text, name }: { text: string; name: string }) {
  const [whole, setWhole] = useState(false);
  return (
    <>
      <span className={classes.prose} dir="auto" data-whole={whole || undefined}>
        {text}
      </span>
      <Anchor
        component="button"
        type="button"
        size="xs"
        aria-expanded={whole}
        aria-label={whole ? `Less of ${name}` : `All of ${name}`}
        onClick={() => setWhole(!whole)}
      >
        {whole ? 'Less' : 'All of it'}
      </Anchor>
    </>
  );
}

interface ComparedProps {
  items: readonly Interrupt[];
  /** What follows from it: it stands where it is in sight. */
  children?: ReactNode;
}

/** What differs of several approvals in tables with their sums, one for each step, and what is the same. */
export function Compared({ items, children }: ComparedProps) {
  const steps = stepsOf(items);
  const { box, below, more } = useBelow(items.length);
  return (
    <>
      <div
        ref={box}
        className={classes.scroll}
        style={{ '--steps': Math.min(steps.length, MOST_STEPS) } as CSSProperties}
        tabIndex={0}
        role="region"
        aria-label="What is decided"
      >
        {steps.map((step) => (
          <StepTable key={step.key} step={step} isAlone={steps.length === 1} />
        ))}
      </div>
      {below > 0 ? <Below count={below} onMore={more} /> : null}
      {children}
      {steps.map((step) => (
        <Same key={step.key} step={step} isAlone={steps.length === 1} />
      ))}
    </>
  );
}

interface StepProps {
  step: OneStep;
  /** Whether all that is decided is of this step. */
  isAlone: boolean;
}

/** What the items of a step show, by the schema of their workflow. */
function useComparison({ first, items }: OneStep): Comparison {
  const { data: run } = useQuery(runQuery(first.run.id));
  return compare(items, run ? schemasOf(run.document) : {});
}

const nameOf = ({ first }: OneStep): string => `${first.run.graph.name}, ${first.node_label}`;

function StepTable({ step, isAlone }: StepProps) {
  const { items } = step;
  const { columns } = useComparison(step);
  const hasSum = columns.some((column) => column.sum !== null) && items.length > 1;
  return (
    <Table withRowBorders stickyHeader={isAlone} aria-label={nameOf(step)}>
      {isAlone ? null : (
        <Table.Caption className={classes.step}>
          <b>
            {nameOf(step)} <span>{counted(items.length)}</span>
          </b>
        </Table.Caption>
      )}
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Item</Table.Th>
          {columns.map((column) => (
            <Table.Th key={column.name} data-number={column.sum !== null || undefined}>
              <span className={classes.head} title={column.label}>
                {column.label}
              </span>
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.request_id}>
            <Table.Td>
              <div className={classes.item}>
                {titleOf(item)}
                {runTitleOf(item) ? <p className={standing.run}>{runTitleOf(item)}</p> : null}
              </div>
            </Table.Td>
            {columns.map(({ name, schema, sum }) => (
              <Table.Td key={name} data-number={sum !== null || undefined}>
                <Cell
                  name={name}
                  value={isObject(item.request.data) ? item.request.data[name] : undefined}
                  schema={schema}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {hasSum ? <Sums count={items.length} columns={columns} /> : null}
    </Table>
  );
}

function Sums({ count, columns }: { count: number; columns: readonly Column[] }) {
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th>In all {count}</Table.Th>
        {columns.map(({ name, schema, sum }) => (
          <Table.Td key={name} data-number={sum !== null || undefined}>
            {sum === null || sum.length > EXACT
              ? sum
              : (formatted(sum, schema) ?? numberText(name, Number(sum), schema))}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}

/** What is alike in all items of a step. */
function Same({ step, isAlone }: StepProps) {
  const { same } = useComparison(step);
  if (same.length === 0) return null;
  const label = isAlone ? 'The same for all' : `The same for all of ${nameOf(step)}`;
  return (
    <div>
      {isAlone ? null : <p className={classes.of}>{label}</p>}
      <dl className={classes.same} aria-label={label}>
        {same.map(({ name, label: field, schema, value }) => (
          <div key={name}>
            <dt>{field}</dt>
            <dd>
              <Cell name={name} value={value} schema={schema} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What is not in sight yet, and the way there: nobody decides rows that they take for none. */
function Below({ count, onMore }: { count: number; onMore: () => void }) {
  return (
    <Anchor component="button" type="button" size="xs" className={classes.below} onClick={onMore}>
      <IconChevronDown size={14} aria-hidden /> {count} more {count === 1 ? 'row' : 'rows'} below
    </Anchor>
  );
}
