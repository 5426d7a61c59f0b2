import { Button, Checkbox, Group, Loader, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type BulkAction,
  type BulkPreview,
  type BulkSelect,
  type BulkVersion,
  bulkQuery,
  previewBulk,
  startBulk,
} from '../../../api/http/runs/bulk.ts';
import { messageOf } from '../../../api/http/client.ts';
import { BulkProgress } from './BulkProgress.tsx';
import { countedRuns, jobTitle, willDo } from './words.ts';
import { PreviewTable } from './PreviewTable.tsx';
import ui from '../../../ui/ui.module.css';

interface BulkDialogProps {
  select: BulkSelect;
  action: BulkAction;
  /** `begun`: whether the job was started, or nothing was done. */
  onClose: (begun: boolean) => void;
  /** After retries of a cause: mark it as mended. */
  onResolve?: () => void;
}

/** Many runs at once: what it would do, then how far it is and what became of each. */
export function BulkDialog({ select, action, onClose, onResolve }: BulkDialogProps) {
  const client = useQueryClient();
  const [job, setJob] = useState<string | null>(null);
  const preview = useQuery({
    queryKey: ['bulk', 'preview', action, select],
    queryFn: () => previewBulk(select, action),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const close = () => {
    void client.invalidateQueries({ queryKey: ['runs'] });
    onClose(job !== null);
  };
  const verb = action === 'retry' ? 'Retry' : 'Cancel';
  // where some take a leave that nobody gave yet, the button alone says how many
  const count = preview.data?.resends ? undefined : preview.data?.included;
  const { data: begun } = useQuery({ ...bulkQuery(job ?? ''), enabled: job !== null });
  const asked = count === undefined ? `${verb} runs` : `${verb} ${countedRuns(count)}?`;
  return (
    <Modal opened onClose={close} size="lg" title={begun ? jobTitle(begun) : asked}>
      {preview.isPending ? (
        <Group gap="sm" py="md">
          <Loader size="sm" />
          <Text c="dimmed">Looking at what would happen</Text>
        </Group>
      ) : null}
      {preview.isError ? <Text c="red">{messageOf(preview.error)}</Text> : null}
      {preview.data && job === null ? (
        <Confirm preview={preview.data} action={action} onClose={close} onStarted={setJob} />
      ) : null}
      {job ? <BulkProgress id={job} onClose={close} {...(onResolve ? { onResolve } : {})} /> : null}
    </Modal>
  );
}

interface ConfirmProps {
  preview: BulkPreview;
  action: BulkAction;
  onClose: () => void;
  onStarted: (job: string) => void;
}

function Confirm({ preview, action, onClose, onStarted }: ConfirmProps) {
  const [resend, setResend] = useState(false);
  const [version, setVersion] = useState<BulkVersion>('same');
  const start = useMutation({
    mutationFn: () => startBulk(preview.id, resend, version),
    onSuccess: (job) => onStarted(job.id),
  });
  const consent = preview.calls.filter((call) => call.consent);
  const count = willDo(preview, resend);
  const none = count === 0;
  const verb = action === 'retry' ? 'Retry' : 'Cancel';
  return (
    <Stack gap="sm">
      <PreviewTable preview={preview} />
      {action === 'cancel' && !none ? (
        <Text size="sm" c="dimmed">
          Calls under way may finish within ten seconds. Finished work is kept; open questions are
          closed. This cannot be undone.
        </Text>
      ) : null}
      {action === 'retry' && !none ? (
        <Select
          label="With"
          allowDeselect={false}
          data={[
            { value: 'same', label: 'the workflow as it ran' },
            { value: 'draft', label: 'the draft as it is now' },
          ]}
          value={String(version)}
          onChange={(value) => setVersion(value === 'draft' ? 'draft' : 'same')}
        />
      ) : null}
      {consent.length > 0 ? (
        <Checkbox
          checked={resend}
          onChange={(event) => setResend(event.currentTarget.checked)}
          label="Send again what was already sent"
          description={`Without this, ${countedRuns(preview.resends)} that would repeat such a call ${preview.resends === 1 ? 'is' : 'are'} left out.`}
        />
      ) : null}
      {start.isError ? <Text c="red">{messageOf(start.error)}</Text> : null}
      <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
        <Button variant="default" onClick={onClose}>
          {action === 'cancel' ? 'Keep running' : 'Not now'}
        </Button>
        <Button
          color={action === 'cancel' ? 'red' : undefined}
          disabled={none}
          loading={start.isPending}
          onClick={() => start.mutate()}
          data-autofocus
        >
          {none ? `Nothing to ${action}` : `${verb} ${countedRuns(count)}`}
        </Button>
      </Group>
    </Stack>
  );
}
