import { ActionIcon, Badge, Button, Group, Modal, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../api/http/client.ts';
import { modelsQuery } from '../../../../api/http/queries.ts';
import { type ModelPrice, pricesQuery } from '../../../../api/http/workspace/models.ts';
import type { Models } from '../../../../api/types/types.ts';
import { dayIn, shortDay } from '../../../../ui/format/days.ts';
import { formatUsd } from '../../../../ui/format/format.ts';
import classes from '../../settings.module.css';
import { SettingsSection, useRemove } from '../../SettingsSection.tsx';
import { forceOf } from './inForce.ts';
import { PriceForm } from './PriceForm.tsx';

function ratesText(price: ModelPrice): string {
  if (Number(price.input_per_million) === 0 && Number(price.output_per_million) === 0)
    return 'free';
  const cached =
    price.cached_per_million === null ? '' : ` · ${formatUsd(price.cached_per_million)} cached`;
  return `${formatUsd(price.input_per_million)} in · ${formatUsd(price.output_per_million)} out${cached}`;
}

const STATES = {
  now: { color: 'green', text: 'in force' },
  later: { color: 'blue', text: 'to come' },
  past: { color: 'gray', text: 'replaced' },
} as const;

/** Prices of the workspace's own, each from a day on. */
export function PriceSettings({ models, canEdit }: { models: Models; canEdit: boolean }) {
  const { data: prices = [] } = useQuery(pricesQuery);
  const [open, setOpen] = useState<ModelPrice | 'new' | null>(null);
  const remove = useRemove(modelsQuery.queryKey, (id) => api.delete(`models/prices/${id}/`));
  const today = dayIn('UTC');
  const label = (id: string) => models.providers.find((each) => each.id === id)?.label ?? id;
  const add = canEdit ? (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      Set a price
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Own prices"
      text="USD per million tokens, from a day on. They count before the built-in price list, for budgets too."
      action={add}
    >
      {prices.length === 0 ? (
        <Text size="sm" c="dimmed" mb="xl">
          None are set: the built-in price list counts, and models of found servers are free.
        </Text>
      ) : (
        <ul className={classes.rows} aria-label="Own prices">
          {prices.map((price) => {
            const state = STATES[forceOf(price, prices, today)];
            const name = `${price.provider}/${price.pattern}`;
            return (
              <li key={price.id}>
                <div className={classes.rowMain}>
                  <Group gap={8}>
                    <b>{label(price.provider)}</b>
                    {price.pattern === '*' ? (
                      'all its models'
                    ) : (
                      <span className="gw-mono">{price.pattern}</span>
                    )}
                    <Badge color={state.color} variant="light">
                      {state.text}
                    </Badge>
                  </Group>
                  <Text size="sm">
                    {ratesText(price)} · from {shortDay(price.from_date)}
                  </Text>
                </div>
                {canEdit ? (
                  <Group gap={2} wrap="nowrap">
                    <ActionIcon
                      aria-label={`Edit the price of ${name} from ${price.from_date}`}
                      onClick={() => setOpen(price)}
                    >
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Remove the price of ${name} from ${price.from_date}`}
                      onClick={() =>
                        void remove(price.id, {
                          title: 'Remove this price?',
                          text: 'The one before it holds again, else the built-in price list. What was spent stays as it was recorded.',
                          confirm: 'Remove',
                        })
                      }
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
      <Modal
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'new' ? 'Set a price' : 'Change a price'}
      >
        {open === null ? null : (
          <PriceForm
            models={models}
            from={open === 'new' ? null : open}
            onDone={() => setOpen(null)}
          />
        )}
      </Modal>
    </SettingsSection>
  );
}
