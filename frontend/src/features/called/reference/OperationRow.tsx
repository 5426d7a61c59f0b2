import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ServedSchema } from '../../../api/http/workspace/called.ts';
import classes from '../called.module.css';
import { type Operation, written } from './shapes.ts';

/** One operation: in a line what it does, opened what it takes and gives. */
export function OperationRow({
  operation,
  schema,
}: {
  operation: Operation;
  schema: ServedSchema;
}) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details
        className={classes.operation}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <code className={`${classes.method} gw-mono`}>{operation.method}</code>
          <code className="gw-mono">{operation.path}</code>
          <Text size="sm" c="dimmed">
            {operation.text}
          </Text>
        </summary>
        {open ? <Detail operation={operation} schema={schema} /> : null}
      </details>
    </li>
  );
}

function Detail({ operation, schema }: { operation: Operation; schema: ServedSchema }) {
  return (
    <div className={classes.detail}>
      {operation.parameters.length > 0 ? (
        <div>
          <h3>Parameters</h3>
          <Text size="sm">
            {operation.parameters
              .map((each) => `${each.name} (${each.in}${each.required ? ', required' : ''})`)
              .join(', ')}
          </Text>
        </div>
      ) : null}
      {operation.body ? <Shown title="Body" text={written(operation.body, schema)} /> : null}
      {operation.answers.map(({ status, shape }) => (
        <Shown key={status} title={`Answer ${status}`} text={written(shape, schema)} />
      ))}
    </div>
  );
}

function Shown({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <pre className={`${classes.code} gw-mono`} tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </div>
  );
}
