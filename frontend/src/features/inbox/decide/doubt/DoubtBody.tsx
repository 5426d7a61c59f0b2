import {
  ActionIcon,
  CopyButton,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { HttpExchange } from '../../../../liverun/HttpExchange.tsx';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import classes from '../../inbox.module.css';
import type { DecisionControl } from '../useDecision.ts';
import { isRequest, mayHaveHappened, outcomeInWords, readOutcome } from './outcome.ts';

const REASONS: Record<string, string> = {
  unknown_outcome:
    'The call was sent, and the connection or the worker was lost before an answer came. It is not safe to send it again by itself.',
  code_changed:
    'The code of this step changed while it was under way. Try it again with the code as it is now, or skip it.',
  missing_type:
    'The type of this step is not installed any more. Try it again once it is, or skip the step.',
  poison:
    'This step brought several workers down. Try it again once the cause is found, or skip it.',
};

interface DoubtBodyProps {
  control: DecisionControl;
  readOnly: boolean;
}

/** Whether a call happened: what was sent, how to find out, and what came of it. */
export function DoubtBody({ control, readOnly }: DoubtBodyProps) {
  const { item } = control;
  const { request } = item;
  return (
    <Stack gap="md">
      <Text>
        {REASONS[request.reason ?? ''] ?? request.reason}
        {request.message ? ` (${request.message})` : ''}
      </Text>
      {request.method && request.url ? (
        <HttpExchange
          request={{
            method: request.method,
            url: request.url,
            ...(request.body ? { body: request.body } : {}),
          }}
        />
      ) : null}
      <dl className={classes.facts}>
        {request.tool ? (
          <>
            <div>
              <dt>Tool</dt>
              <dd className="gw-mono">{request.tool}</dd>
            </div>
            <div>
              <dt>Given</dt>
              <dd>
                <ValueView value={request.arguments} />
              </dd>
            </div>
          </>
        ) : null}
        {request.sent_at ? (
          <div>
            <dt>Sent</dt>
            <dd>
              <RelativeTime at={request.sent_at} />
              {request.attempt ? `, attempt ${request.attempt}` : ''}
            </dd>
          </div>
        ) : null}
        {request.idempotency_key ? (
          <div>
            <dt>Sent under the key</dt>
            <dd>
              <Group gap={4} wrap="nowrap">
                <span className="gw-mono">{request.idempotency_key}</span>
                <CopyKey text={request.idempotency_key} />
              </Group>
              <Text size="xs" c="dimmed">
                A call that arrived carries it: look for it at the other side.
              </Text>
            </dd>
          </div>
        ) : null}
      </dl>
      {readOnly || !mayHaveHappened(item) ? null : <Outcome control={control} />}
    </Stack>
  );
}

function CopyKey({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy the key'}>
          <ActionIcon variant="subtle" size="sm" aria-label="Copy the key" onClick={copy}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

function Outcome({ control: { item, draft, problems, change } }: { control: DecisionControl }) {
  const read = readOutcome(draft.result);
  return (
    <Stack gap="xs" component="section" aria-label="If it happened">
      {isRequest(item) ? (
        <TextInput
          label="Status that it answered"
          w={200}
          inputMode="numeric"
          value={draft.resultStatus}
          error={problems.resultStatus}
          onChange={(event) => change({ resultStatus: event.currentTarget.value })}
        />
      ) : null}
      <Textarea
        label="If it happened: what it answered"
        description="Words or JSON, as the other side shows it. Leave it empty when no later step reads it."
        autosize
        minRows={2}
        maxRows={12}
        value={draft.result}
        error={problems.result}
        onChange={(event) => change({ result: event.currentTarget.value })}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {outcomeInWords(read)}
      </Text>
    </Stack>
  );
}
