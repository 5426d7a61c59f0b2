import { Button, Group, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { findText, type Match, replaceText } from '../../../graph/editing/replace.ts';
import { useEditor } from '../../../store/editor.ts';

const ROWS = 100;
const AROUND = 40;

/** The words around the first occurrence. */
function excerpt(text: string, search: string): [string, string, string] {
  const at = text.toLowerCase().indexOf(search.toLowerCase());
  const end = at + search.length;
  return [
    `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at)}`,
    text.slice(at, end),
    `${text.slice(end, end + AROUND)}${end + AROUND < text.length ? '…' : ''}`,
  ];
}

function Row({ match, search }: { match: Match; search: string }) {
  const label = useEditor((state) =>
    match.kind === 'node'
      ? state.records.nodes.get(match.id)?.label || match.id
      : match.kind === 'edge'
        ? 'Wire'
        : 'Note',
  );
  const [before, found, after] = excerpt(match.text, search);
  return (
    <div>
      <Text size="xs" c="dimmed">
        <strong>{label}</strong> {match.path.replace(/^config\./, '')}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {before}
        <mark>{found}</mark>
        {after}
      </Text>
    </div>
  );
}

/** Replace a text everywhere in the draft, as one undo step. */
export function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const records = useEditor((state) => state.records);
  const [search, setSearch] = useState('');
  const [by, setBy] = useState('');
  const found = useMemo(() => findText(records, search), [records, search]);
  const replace = () => {
    useEditor.getState().gesture('Replace', (current) => replaceText(current, search, by));
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Find and replace" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found.length > 0) replace();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Find"
            description="In labels, settings, conditions and notes; upper and lower case alike."
            value={search}
            data-autofocus
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <TextInput
            label="Replace with"
            value={by}
            onChange={(event) => setBy(event.currentTarget.value)}
          />
          {search ? (
            <Text size="sm" c="dimmed" role="status">
              {found.length === 0
                ? 'Nowhere in this draft'
                : `In ${found.length} ${found.length === 1 ? 'place' : 'places'}`}
            </Text>
          ) : null}
          <ScrollArea.Autosize mah={280} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack gap="xs">
              {found.slice(0, ROWS).map((match) => (
                <Row key={`${match.kind}${match.id}${match.path}`} match={match} search={search} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={found.length === 0}>
              Replace all
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
