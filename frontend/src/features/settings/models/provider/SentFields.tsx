import { Textarea } from '@mantine/core';

/** Headers and fields that go with every question. */
export function SentFields({
  headers,
  onHeaders,
  fields,
  onFields,
  stored = [],
  takesFields = true,
}: {
  headers: string;
  onHeaders: (text: string) => void;
  fields: string;
  onFields: (text: string) => void;
  stored?: readonly string[];
  takesFields?: boolean;
}) {
  return (
    <>
      <Textarea
        label="Headers"
        description={
          stored.length > 0
            ? `Stored: ${stored.join(', ')}. What is written here replaces them`
            : 'Sent with every call, one in a line: Name: value'
        }
        autosize
        minRows={1}
        maxRows={6}
        value={headers}
        onChange={(event) => onHeaders(event.currentTarget.value)}
      />
      {takesFields ? (
        <Textarea
          label="Extra fields"
          description='Sent with every question, as JSON, such as {"top_k": 40}'
          autosize
          minRows={1}
          maxRows={8}
          classNames={{ input: 'gw-mono' }}
          value={fields}
          onChange={(event) => onFields(event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}
