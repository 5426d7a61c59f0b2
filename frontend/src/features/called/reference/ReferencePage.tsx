import { Text, TextInput } from '@mantine/core';
import { IconSearch, IconZoomQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { schemaQuery } from '../../../api/http/workspace/called.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import pages from '../../../ui/page/pages.module.css';
import classes from '../called.module.css';
import { OperationRow } from './OperationRow.tsx';
import { matching, type Operation, operationsOf } from './shapes.ts';

/** Everything that programs can ask of this installation, as it serves it. */
export default function ReferencePage() {
  const { data: schema, error, refetch } = useQuery(schemaQuery);
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  const operations = useMemo(() => (schema ? operationsOf(schema) : []), [schema]);
  const found = useMemo(() => byResource(matching(operations, wanted)), [operations, wanted]);
  return (
    <div className={pages.page}>
      <PageHeader
        title="API reference"
        text={
          <>
            What programs can ask. Each sends <code>Authorization: Bearer</code> and a{' '}
            <Link to="/settings/tokens">token</Link>.
          </>
        }
      />
      <div className={pages.body}>
        <TextInput
          aria-label="Search operations"
          placeholder="runs, start, answer…"
          leftSection={<IconSearch size={16} />}
          maw={420}
          mb="md"
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!schema && !error ? <ListSkeleton rows={8} /> : null}
        {schema && found.length === 0 ? (
          <EmptyState
            icon={IconZoomQuestion}
            title="Nothing is called so"
            text="Search for a part of its address, its name, or what it does."
          />
        ) : null}
        {schema
          ? found.map(([resource, rows]) => (
              <section key={resource} aria-label={resource}>
                <h2 className={classes.resource}>{resource}</h2>
                <ul className={classes.operations}>
                  {rows.map((each) => (
                    <OperationRow
                      key={`${each.method} ${each.path}`}
                      operation={each}
                      schema={schema}
                    />
                  ))}
                </ul>
                <Text mb="lg" />
              </section>
            ))
          : null}
      </div>
    </div>
  );
}

function byResource(operations: readonly Operation[]): [string, Operation[]][] {
  const found = new Map<string, Operation[]>();
  for (const each of operations) {
    const rows = found.get(each.resource);
    if (rows) rows.push(each);
    else found.set(each.resource, [each]);
  }
  return [...found];
}
