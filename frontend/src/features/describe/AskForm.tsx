import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import type { CapableModel, CapableModels } from '../../api/http/workspace/describe.ts';
import { messageOf } from '../../api/http/client.ts';
import { budgetName, periodName } from '../../ui/budgets/BudgetBar.tsx';
import { formatUsd } from '../../ui/format/format.ts';

interface AskFormProps {
  able: CapableModels;
  change: boolean;
  words: string;
  onWords: (words: string) => void;
  busy: boolean;
  error: unknown;
  onAsk: (model: string) => void;
}

/** What a draft costs by a model, in a line. */
function priceOf({ at_most_usd: most, likely_usd: likely }: CapableModel): string {
  if (most === null || likely === null) return 'What it costs is not known: it has no price here.';
  if (Number(most) === 0) return 'Costs nothing with this model.';
  return `About ${formatUsd(likely)}, never more than ${formatUsd(most)}.`;
}

/** Which budget pays, in a line. */
function payerOf({ budget }: CapableModels): string {
  if (!budget) return 'This workspace has no budget: only the limit of this draft holds.';
  const left = budget.left_usd === null ? '' : `, ${formatUsd(budget.left_usd)} left`;
  return `Paid from the budget “${budgetName(budget)}” ${periodName(budget.period)}${left}.`;
}

const forecastOf = (model: CapableModel, able: CapableModels) =>
  Number(model.at_most_usd ?? 1) === 0 ? priceOf(model) : `${priceOf(model)} ${payerOf(able)}`;

/** The words, the model, and what it may cost. */
export function AskForm({ able, change, words, onWords, busy, error, onAsk }: AskFormProps) {
  const [picked, setPicked] = useState(able.models[0]?.id ?? null);
  const model = able.models.find(({ id }) => id === picked) ?? able.models[0];
  const ready = words.trim() !== '' && model !== undefined && !busy;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onAsk(model.id);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !ready) return;
        event.preventDefault();
        onAsk(model.id);
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={change ? 'What should change?' : 'What should it do?'}
          description={
            change
              ? 'Say it as you would to a colleague. Nothing changes before you have seen it.'
              : 'Say what comes in, what should happen, and where a person decides.'
          }
          placeholder={
            change
              ? 'Ask finance too when the amount is over 1,000.'
              : 'Sort incoming mails by topic, draft a reply, and let somebody approve it before it is sent.'
          }
          autosize
          minRows={5}
          maxRows={14}
          maxLength={able.most_words}
          value={words}
          data-autofocus
          // which models there are may be known only after the drawer took the focus
          autoFocus={change}
          onChange={(event) => onWords(event.currentTarget.value)}
        />
        <Select
          label="Model"
          searchable
          allowDeselect={false}
          data={able.models.map((each) => ({
            value: each.id,
            label: `${each.label} · ${each.provider}`,
          }))}
          value={model?.id ?? null}
          onChange={setPicked}
        />
        <Text size="sm" c="dimmed" data-forecast>
          {model ? forecastOf(model, able) : null}
        </Text>
        {error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(error)}
          </Text>
        ) : null}
        <Group justify="flex-end">
          <Button
            type="submit"
            leftSection={<IconSparkles size={16} />}
            loading={busy}
            disabled={!ready}
          >
            {change ? 'Draft the change' : 'Draft it'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
