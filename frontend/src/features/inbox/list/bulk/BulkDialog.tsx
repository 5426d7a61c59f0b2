import { Anchor, Button, Group, Modal, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { messageOf } from '../../../../api/http/client.ts';
import { runQuery } from '../../../../api/http/lists.ts';
import { useSession } from '../../../../api/http/queries.ts';
import type { Interrupt, Json, JsonSchema } from '../../../../api/types/types.ts';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { isObject } from '../../../../run/values/json.ts';
import { Kbd } from '../../../../ui/keys/Kbd.tsx';
import { AheadOfMany } from '../../ahead/AheadOfMany.tsx';
import { claimedText } from '../../decide/rights/claimed.ts';
import { placesText } from '../../decide/rights/place.ts';
import { needsReason } from '../../decide/answer.ts';
import { factText, formatted, numberText } from '../../decide/fields/fieldLook.ts';
import standing from '../../item/item.module.css';
import { runTitleOf, titleOf } from '../../names.ts';
import type { HeldVerb } from '../../rhythm/machine.ts';
import { type Desk } from '../../rhythm/useDesk.ts';
import { compare, counted, EXACT, isForMany } from './bulk.ts';
import classes from './bulk.module.css';
import { Refused } from './Refused.tsx';

interface DialogProps {
  items: readonly Interrupt[];
  verb: HeldVerb;
  courier: Desk['courier'];
  onClose: () => void;
}

/** More than one request takes. */
const MOST = 500;
/** Characters from which on a text keeps its lines, of which the first stand in its cell. */
const LONG = 80;

/** Decide several approvals: what differs of them in a table, sums, and one reason for all. */
export function BulkDialog({ items, verb, courier, onClose }: DialogProps) {
  const approvals = items.filter((item) => isForMany(item, verb)).slice(0, MOST);
  const [comment, setComment] = useState('');
  const me = useSession().data?.user?.id;
  const places = placesText(approvals, me);
  const claimed = claimedText(approvals, me);
  const needed = approvals.some((item) => needsReason(item, verb));
  const decide = useMutation({
    mutationFn: async () => {
      const sent = approvals;
      const results = await courier.sendMany(sent, verb, comment.trim());
      return { sent, refused: results.filter((one) => one.state === 'refused') };
    },
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onClose();
    },
  });
  const { sent = [], refused = [] } = decide.data ?? {};
  const isMissing = needed && comment.trim() === '';
  const send = () => {
    if (!isMissing && !decide.isPending && approvals.length > 0) decide.mutate();
  };
  const word = verb === 'approve' ? 'Approve' : 'Reject';
  if (refused.length > 0)
    return <Refused refused={refused} sent={sent} done="decided" onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${word} ${counted(approvals.length)}?`}
      size="xl"
      classNames={{ body: classes.dialog, content: classes.content }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Stack gap="sm" className={classes.body}>
        {approvals.length < items.length ? (
          <Text size="sm" c="dimmed">
            {counted(items.length - approvals.length)} of what is picked stay as they are: they are
            no approvals, have to be approved one by one, or are more than one request takes.
          </Text>
        ) : null}
        {places ? (
          <Text size="sm" fw={500}>
            {places}
          </Text>
        ) : null}
        {claimed ? (
          <Text size="sm" fw={500} role="alert">
            {claimed}
          </Text>
        ) : null}
        <Compared items={approvals} />
        <AheadOfMany items={approvals} verb={verb} />
      </Stack>
      <Stack gap="xs" className={classes.footer}>
        <Textarea
          data-autofocus
          label={verb === 'reject' ? 'Reason' : 'Comment'}
          withAsterisk={needed}
          autosize
          minRows={1}
          maxRows={5}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {decide.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(decide.error)}
          </Text>
        ) : null}
        <Text size="xs" c="dimmed">
          Each is decided by itself, for exactly what is shown here. One whose content has changed,
          or that somebody decided first, stays as it is.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color={verb === 'reject' ? 'red' : undefined}
            disabled={isMissing || approvals.length === 0}
            loading={decide.isPending}
            rightSection={
              <span className={classes.keys}>
                <Kbd keys="Mod+Enter" />
              </span>
            }
            onClick={send}
          >
            {word} all
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

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
  const text = factText(name, value, schema) ?? (typeof value === 'object' ? null : String(value));
  if (text === null) return <ValueView value={value} />;
  return text.length > LONG ? <Prose text={text} name={name} /> : <span>{text}</span>;
}

/** A text of which the first lines stand in the table, and all of it once it is asked for. */
function Prose({ text, name }: { text: string; name: string }) {
  const [whole, setWhole] = useState(false);
  return (
    <>
      <span className={classes.prose} data-whole={whole || undefined}>
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

function Compared({ items }: { items: readonly Interrupt[] }) {
  const [first] = items;
  const { data: run } = useQuery({
    ...runQuery(first?.run.id ?? ''),
    enabled: first !== undefined,
  });
  const { columns, same } = compare(items, run?.document.state_schema?.properties ?? {});
  const hasSum = columns.some((column) => column.sum !== null) && items.length > 1;
  return (
    <>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="What is decided">
        <Table withRowBorders stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column.name} data-number={column.sum !== null || undefined}>
                  {column.label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.request_id}>
                <Table.Td>
                  {titleOf(item)}
                  {runTitleOf(item) ? <p className={standing.run}>{runTitleOf(item)}</p> : null}
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
          {hasSum ? (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th>In all {items.length}</Table.Th>
                {columns.map(({ name, schema, sum }) => (
                  <Table.Td key={name} data-number={sum !== null || undefined}>
                    {sum === null || sum.length > EXACT
                      ? sum
                      : (formatted(sum, schema) ?? numberText(name, Number(sum), schema))}
                  </Table.Td>
                ))}
              </Table.Tr>
            </Table.Tfoot>
          ) : null}
        </Table>
      </div>
      {same.length > 0 ? (
        <dl className={classes.same} aria-label="The same for all">
          {same.map(({ name, label, schema, value }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <Cell name={name} value={value} schema={schema} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}
