import { Alert, Button, Group } from '@mantine/core';
import { IconPencilOff } from '@tabler/icons-react';
import type { Interrupt, JsonSchema } from '../../../api/types/types.ts';
import { copyText } from '../../../ui/copyText.ts';
import { editsOf } from '../decide/answer.ts';
import { labelOf, numberText } from '../decide/fields/fieldLook.ts';
import { dropDraft, useDraftOf } from '../rhythm/drafts.ts';

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** What somebody had written for an item that was decided meanwhile: it counts for nothing, and is not lost. */
export function Unused({
  item,
  schemas,
}: {
  item: Interrupt;
  schemas?: Readonly<Record<string, JsonSchema>> | undefined;
}) {
  const kept = useDraftOf(item);
  if (item.status === 'open' || kept === null) return null;
  const edits = Object.entries(editsOf(item, kept.draft).edits);
  const comment = kept.draft.comment.trim();
  const reason = (kept.draft.reason ?? '').trim();
  const lines = [
    ...edits.map(([name, value]) => {
      const schema = schemas?.[name];
      return `${labelOf(name, schema)}: ${numberText(name, value, schema) ?? text(value)}`;
    }),
    ...(comment ? [`Comment: ${comment}`] : []),
    ...(reason && reason !== comment ? [`Reason to reject: ${reason}`] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Alert
      icon={<IconPencilOff size={16} />}
      color="yellow"
      mb="md"
      title="What you had written was not used"
    >
      {lines.map((line) => (
        <p key={line} style={{ margin: 0, whiteSpace: 'pre-wrap' }}>
          {line}
        </p>
      ))}
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={() => void copyText(lines.join('\n'))}>
          Copy
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => dropDraft(item.request_id)}
        >
          Forget it
        </Button>
      </Group>
    </Alert>
  );
}
