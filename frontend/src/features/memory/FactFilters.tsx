import { CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { entitiesQuery, type FactFilter, factTagsQuery } from '../../api/http/workspace/facts.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import classes from './memory.module.css';
import type { Change } from './useFactFilter.ts';

interface FactFiltersProps {
  filter: FactFilter;
  change: Change;
  searchBox: RefObject<HTMLInputElement | null>;
}

/** Search as you type, and what narrows the list. */
export function FactFilters({ filter, change, searchBox }: FactFiltersProps) {
  const { data: tags } = useQuery(factTagsQuery);
  const { data: graphs } = useQuery(graphsQuery());
  const [typed, setTyped] = useState(filter.search ?? '');
  const search = useDebouncedCallback((text: string) => change({ search: text.trim() }), 200);
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
  return (
    <div className={classes.filters} role="search">
      <TextInput
        ref={searchBox}
        leftSection={<IconSearch size={15} />}
        placeholder="Search by words or meaning"
        aria-label="Search facts"
        maxLength={200}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        rightSection={
          typed ? (
            <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />
          ) : null
        }
      />
      <Select
        aria-label="Tag"
        placeholder="Any tag"
        clearable
        searchable
        data={withValue(tags?.map((each) => each.tag) ?? [], filter.tag)}
        value={filter.tag ?? null}
        onChange={(tag) => change({ tag })}
      />
      <EntitySelect value={filter.entity ?? null} onChange={(entity) => change({ entity })} />
      <Select
        aria-label="Workflow"
        placeholder="Any workflow"
        clearable
        searchable
        data={(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name }))}
        value={filter.graph ?? null}
        onChange={(graph) => change({ graph })}
      />
    </div>
  );
}

/** The list with the chosen value in it, which may have left it meanwhile. */
function withValue(list: readonly string[], value: string | undefined | null): string[] {
  return value && !list.includes(value) ? [value, ...list] : [...list];
}

const asOption = (name: string) => ({ value: name, label: name });

function EntitySelect({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (name: string | null) => void;
}) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed === value ? '' : typed, 150);
  const { data } = useQuery({ ...entitiesQuery(wanted), placeholderData: keepPreviousData });
  return (
    <Select
      aria-label="About"
      placeholder="About anything"
      clearable
      searchable
      nothingFoundMessage="Nobody and nothing"
      filter={({ options }) => options}
      data={[
        ...withValue(data?.results.map((entity) => entity.name) ?? [], value).map(asOption),
        ...(data?.next ? [{ value: '', label: 'Type to find others', disabled: true }] : []),
      ]}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
