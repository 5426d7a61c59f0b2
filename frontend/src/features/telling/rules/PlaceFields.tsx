import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { graphsQuery } from '../../../api/http/queries.ts';
import { foldersQuery } from '../../../api/http/workspace/folders.ts';

interface PlaceFieldsProps {
  folder: string;
  tag: string;
  onChange: (part: { folder?: string; tag?: string }) => void;
}

const sorted = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].filter((text) => text !== '').sort((one, other) => one.localeCompare(other));

/** Of which workflows a rule tells, by where they lie and how they are tagged; nothing where there is neither. */
export function PlaceFields({ folder, tag, onChange }: PlaceFieldsProps) {
  const { data: folders = [] } = useQuery(foldersQuery);
  const { data: graphs = [] } = useQuery(graphsQuery());
  const paths = sorted([folder, ...folders.map((each) => each.path)]);
  const tags = sorted([tag, ...graphs.flatMap((each) => each.tags)]);
  if (paths.length === 0 && tags.length === 0) return null;
  return (
    <Group grow align="flex-start">
      {paths.length > 0 ? (
        <Select
          label="Folder"
          placeholder="Anywhere"
          data={paths}
          value={folder || null}
          onChange={(value) => onChange({ folder: value ?? '' })}
          searchable
          clearable
        />
      ) : null}
      {tags.length > 0 ? (
        <Select
          label="Tag"
          placeholder="Any"
          data={tags}
          value={tag || null}
          onChange={(value) => onChange({ tag: value ?? '' })}
          searchable
          clearable
        />
      ) : null}
    </Group>
  );
}
