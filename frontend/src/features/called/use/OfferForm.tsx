import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldProblem, messageOf } from '../../../api/http/client.ts';
import { changeOffer, type Offer, offerQuery } from '../../../api/http/workspace/called.ts';
import { toolNameFor } from './snippets.ts';

/** The two switches: a tool for agents, a model for chat clients. */
export function OfferForm({ graphId, offer }: { graphId: string; offer: Offer }) {
  const client = useQueryClient();
  const [name, setName] = useState(offer.tool_name ?? toolNameFor(offer.model));
  const save = useMutation({
    mutationFn: (change: Partial<Pick<Offer, 'tool_name' | 'chat'>>) =>
      changeOffer(graphId, { tool_name: offer.tool_name, chat: offer.chat, ...change }),
    onSuccess: (saved) => client.setQueryData(offerQuery(graphId).queryKey, saved),
  });
  const rename = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ tool_name: name });
  };
  const problem = fieldProblem(save.error, 'tool_name');
  return (
    <>
      <Switch
        label="Offer as a tool"
        description="Agents of other programs find it on the MCP server of this workspace."
        checked={offer.tool_name !== null}
        disabled={!offer.may_change || save.isPending}
        onChange={(event) => save.mutate({ tool_name: event.currentTarget.checked ? name : null })}
      />
      {offer.tool_name !== null || problem ? (
        <form onSubmit={rename}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label="Name of the tool"
              flex={1}
              maxLength={60}
              value={name}
              error={problem}
              readOnly={!offer.may_change}
              classNames={{ input: 'gw-mono' }}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {name !== offer.tool_name ? (
              <Button type="submit" variant="default" loading={save.isPending}>
                Save
              </Button>
            ) : null}
          </Group>
        </form>
      ) : null}
      <Switch
        label="Offer as a chat model"
        description="Clients of OpenAI’s API choose it by its name and talk to it."
        checked={offer.chat}
        disabled={!offer.may_change || save.isPending}
        onChange={(event) => save.mutate({ chat: event.currentTarget.checked })}
      />
      {save.error && !problem ? (
        <Text c="red" size="sm" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
    </>
  );
}
