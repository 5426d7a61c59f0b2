import { Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { credentialsQuery } from '../../../api/http/queries.ts';
import type { SentDraft } from '../../../api/http/workspace/tools/sources.ts';

/** The credential that is sent to a source, the header it goes into, and other headers. */
export function SentFields({
  draft,
  keyHeaders = [],
  onChange,
}: {
  draft: SentDraft;
  keyHeaders?: readonly string[];
  onChange: (draft: SentDraft) => void;
}) {
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const wanted = keyHeaders[0];
  return (
    <>
      <Select
        label="Credential"
        description="Stored under Settings, Credentials, and bound to the hosts it may go to"
        placeholder="None"
        clearable
        data={credentials.map(({ name }) => name)}
        nothingFoundMessage="No credential is stored yet"
        value={draft.credential || null}
        onChange={(credential) => onChange({ ...draft, credential: credential ?? '' })}
      />
      {draft.credential ? (
        <TextInput
          label="Header of the credential"
          description={
            wanted
              ? `The document asks for ${wanted}. Empty: the usual one of its kind`
              : 'Empty: the usual one of its kind, such as Authorization'
          }
          placeholder={wanted ?? 'Authorization'}
          value={draft.header}
          onChange={(event) => onChange({ ...draft, header: event.currentTarget.value })}
        />
      ) : null}
      <Textarea
        label="Headers"
        description="Sent with every call, one in a line: Name: value. Nothing secret here"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.headers}
        onChange={(event) => onChange({ ...draft, headers: event.currentTarget.value })}
      />
    </>
  );
}
