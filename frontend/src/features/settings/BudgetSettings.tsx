import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Modal,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCoin, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { type Budget, type BudgetPeriod, budgetsQuery } from '../../api/http/workspace/budgets.ts';
import { api, messageOf } from '../../api/http/client.ts';
import { graphsQuery } from '../../api/http/queries.ts';
import { triggersQuery } from '../../api/http/runs/triggers.ts';
import { subtractDecimal } from '../../run/values/decimal.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatTokens, formatUsd } from '../../ui/format/format.ts';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';
import { BudgetBars, budgetName, endOf } from '../../ui/budgets/BudgetBar.tsx';
import classes from '../../ui/budgets/budgets.module.css';
import { SettingsSection, useRemove, useSave } from './SettingsSection.tsx';

const periods: { value: BudgetPeriod; label: string }[] = [
  { value: 'day', label: 'Each day' },
  { value: 'week', label: 'Each week' },
  { value: 'month', label: 'Each month' },
  { value: 'total', label: 'In total' },
];
const WORKSPACE = 'workspace';
const ANY = 'any';

/** Limits that hold for everything here, for one workflow or one trigger of it; what is used, held and left of each. */
export function BudgetSettings({ timezone }: { timezone: string }) {
  const { data, error, refetch } = useQuery(budgetsQuery);
  const [open, setOpen] = useState<Budget | 'new' | null>(null);
  const remove = useRemove(budgetsQuery.queryKey, (id) => api.delete(`budgets/${id}/`));
  const canEdit = data?.can_edit ?? false;
  const add = canEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      New budget
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Budgets"
      action={data?.results.length ? add : null}
      text={
        <>
          Held before a call is made, on every budget at once. Periods begin at midnight in{' '}
          {timezone}. The time zone, and whether models without a price may be called, are set under{' '}
          <Anchor component={Link} to="/settings/workspace" inherit underline="always">
            Workspace
          </Anchor>
          .
        </>
      }
    >
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={3} /> : null}
      {data?.results.length === 0 ? (
        <EmptyState
          icon={IconCoin}
          title="No budgets yet"
          text="Without one, runs are bounded by their own limits alone."
          action={add}
        />
      ) : null}
      {data?.results.length ? (
        <ul className={classes.rows} aria-label="Budgets">
          {data.results.map((budget) => (
            <li key={budget.id}>
              <div className={classes.rowHead}>
                <div>
                  <b>
                    {budget.graph ? (
                      <Link
                        to={`/workflows/${budget.graph.id}${budget.trigger ? '/triggers' : ''}`}
                        className={classes.name}
                      >
                        {budgetName(budget)}
                      </Link>
                    ) : (
                      budgetName(budget)
                    )}
                  </b>
                  <small>
                    {[
                      periods.find((each) => each.value === budget.period)?.label.toLowerCase(),
                      endOf(budget),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                </div>
                {canEdit ? (
                  <Group gap={2} wrap="nowrap">
                    <ActionIcon
                      aria-label={`Edit the budget of ${budgetName(budget)}`}
                      onClick={() => setOpen(budget)}
                    >
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Delete the budget of ${budgetName(budget)}`}
                      onClick={() =>
                        void remove(budget.id, {
                          title: 'Delete this budget?',
                          text: 'Calls are no longer held against it from now on. What was spent stays in the record.',
                          confirm: 'Delete',
                        })
                      }
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                ) : null}
              </div>
              <BudgetBars budget={budget} />
              <Raised budget={budget} />
            </li>
          ))}
        </ul>
      ) : null}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'new' ? 'New budget' : open === null ? '' : `Budget of ${budgetName(open)}`}
      >
        {open === null ? null : (
          <BudgetForm known={open === 'new' ? null : open} onDone={() => setOpen(null)} />
        )}
      </Modal>
    </SettingsSection>
  );
}

function Raised({ budget }: { budget: Budget }) {
  const parts = [
    Number(budget.raised_usd) > 0 ? formatUsd(budget.raised_usd) : '',
    budget.raised_tokens > 0 ? `${formatTokens(budget.raised_tokens)} tokens` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  return (
    <p className={classes.raised}>Raised by {parts.join(' and ')} for this period, in the inbox</p>
  );
}

/** The limit as people set it, without what was added for the present period. */
function ownLimit(budget: Budget | null): { usd: string; tokens: string } {
  if (budget === null) return { usd: '', tokens: '' };
  return {
    usd: budget.limit_usd === null ? '' : subtractDecimal(budget.limit_usd, budget.raised_usd),
    tokens: budget.limit_tokens === null ? '' : String(budget.limit_tokens - budget.raised_tokens),
  };
}

function BudgetForm({ known, onDone }: { known: Budget | null; onDone: () => void }) {
  const own = ownLimit(known);
  const [scope, setScope] = useState(known?.graph?.id ?? WORKSPACE);
  const [period, setPeriod] = useState<BudgetPeriod>(known?.period ?? 'month');
  const [usd, setUsd] = useState(own.usd);
  const [tokens, setTokens] = useState(own.tokens);
  const { data: graphs } = useQuery(graphsQuery());
  const [trigger, setTrigger] = useState(ANY);
  const ofGraph = known === null && scope !== WORKSPACE;
  const { data: triggers } = useQuery({ ...triggersQuery(scope), enabled: ofGraph });
  const limits = {
    limit_usd: usd.trim() === '' ? null : usd.trim(),
    limit_tokens: tokens.trim() === '' ? null : Number(tokens),
  };
  const save = useSave(
    budgetsQuery.queryKey,
    () =>
      known
        ? api.patch(`budgets/${known.id}/`, { period, ...limits })
        : api.post('budgets/', {
            ...(trigger === ANY ? { graph: ofGraph ? scope : null } : { trigger }),
            period,
            ...limits,
          }),
    onDone,
  );
  const nothing = limits.limit_usd === null && limits.limit_tokens === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {known ? null : (
          <Select
            label="Limits"
            searchable
            allowDeselect={false}
            data={[
              { value: WORKSPACE, label: 'Whole workspace' },
              ...(graphs ?? []).map((graph) => ({ value: graph.id, label: graph.name })),
            ]}
            value={scope}
            onChange={(value) => {
              setScope(value ?? WORKSPACE);
              setTrigger(ANY);
            }}
          />
        )}
        {ofGraph && triggers?.length ? (
          <Select
            label="Of its runs"
            allowDeselect={false}
            data={[
              { value: ANY, label: 'All, whatever starts them' },
              ...triggers.map((each) => ({
                value: each.id,
                label: `Those that ${each.name} starts`,
              })),
            ]}
            value={trigger}
            onChange={(value) => setTrigger(value ?? ANY)}
          />
        ) : null}
        <Select
          label="Period"
          allowDeselect={false}
          data={periods}
          value={period}
          onChange={(value) =>
            setPeriod(periods.find((each) => each.value === value)?.value ?? period)
          }
        />
        <Group grow align="flex-start">
          <TextInput
            label="USD"
            leftSection="$"
            inputMode="decimal"
            placeholder="no limit"
            value={usd}
            data-autofocus
            onChange={(event) => setUsd(event.currentTarget.value)}
          />
          <TextInput
            label="Tokens"
            inputMode="numeric"
            placeholder="no limit"
            value={tokens}
            onChange={(event) => setTokens(event.currentTarget.value.replace(/\D/g, ''))}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {known
            ? 'A limit below what is spent stops the next call; calls under way are not torn off. A higher one lets runs go on that wait for it.'
            : 'It holds from the next call on, for runs under way too. What the period has already cost counts.'}
        </Text>
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" disabled={nothing} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
