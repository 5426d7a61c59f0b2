import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, ApiError, messageOf } from '../../../api/http/client.ts';
import type { GraphDetail } from '../../../api/types/types.ts';
import {
  graphRunner,
  partDocument,
  partOf,
  slugOf,
  withPartReplaced,
} from '../../../graph/editing/extract.ts';
import { selectedIds, useEditor } from '../../../store/editor.ts';
import { saveNow } from '../../../store/saving.ts';

const listed = (keys: readonly string[]) => (keys.length > 0 ? keys.join(', ') : 'nothing');

/** Move the selected nodes into a workflow of their own, published at once, and put one node that runs it in their place. */
export function ExtractDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const records = useEditor((state) => state.records);
  const types = useEditor((state) => state.types);
  const [ids] = useState(() => new Set(selectedIds()));
  const part = useMemo(() => partOf(records, ids, types), [records, ids, types]);
  const runner = useMemo(() => graphRunner(types), [types]);
  const make = useMutation({
    mutationFn: async () => {
      if (typeof part === 'string' || !runner) return;
      const slug = slugOf(name);
      const graph = await api.post<GraphDetail>('graphs/', {
        document: partDocument(records, part, slug, name.trim()),
      });
      await api.post(`graphs/${graph.id}/publish/`, {
        note: `Taken out of ${useEditor.getState().head.name ?? 'a workflow'}`,
        revision: graph.revision,
      });
      const { gesture, select } = useEditor.getState();
      let added = '';
      gesture('Extract', (current) => {
        const result = withPartReplaced(current, part, runner, {
          slug: graph.slug,
          name: name.trim(),
        });
        added = result.id;
        return result.records;
      });
      select([added]);
      void client.invalidateQueries({ queryKey: ['graphs'] });
      void saveNow();
      onClose();
    },
  });
  const problem =
    make.error instanceof ApiError
      ? make.error.problems.find((entry) => entry.severity === 'error')
      : undefined;
  return (
    <Modal opened onClose={onClose} title="Extract to a subgraph">
      {typeof part === 'string' ? (
        <Alert color="orange" title="Not these nodes">
          {part}
        </Alert>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate();
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Name of the new workflow"
              value={name}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Text size="sm" c="dimmed">
              {part.nodes.length} {part.nodes.length === 1 ? 'node moves' : 'nodes move'} there, and
              it is published. Memory keys that go in: {listed(part.into)}. That come back:{' '}
              {listed(part.out)}.
            </Text>
            {part.missing.length > 0 ? (
              <Alert color="orange">
                A subgraph has its own run: {listed(part.missing)} is not what it is here. Write
                what is needed to memory first.
              </Alert>
            ) : null}
            {make.error ? (
              <Text size="sm" c="red" role="alert">
                {messageOf(make.error)} {problem?.say ?? problem?.message ?? ''}
              </Text>
            ) : null}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={!name.trim() || !runner} loading={make.isPending}>
                Extract
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
