import { Button, Modal } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { providerUseQuery } from '../../../api/http/workspace/models.ts';
import type { ModelProvider } from '../../../api/types/types.ts';
import classes from '../settings.module.css';
import { SettingsSection } from '../SettingsSection.tsx';
import { AddProvider } from './provider/AddProvider.tsx';
import { EditProvider } from './provider/EditProvider.tsx';
import { KeyForm } from './provider/KeyForm.tsx';
import { type Opened, ProviderRow } from './ProviderRow.tsx';
import { RemoveProvider } from './provider/RemoveProvider.tsx';

type Open = { kind: 'add' } | { kind: Opened; provider: ModelProvider } | null;

function titleOf(open: Open): string {
  if (open === null || open.kind === 'add') return 'Add a model server';
  const { label, source } = open.provider;
  if (open.kind === 'key') return `Key of ${label}`;
  if (open.kind === 'edit') return label;
  return source === 'hosted' ? `Remove the key of ${label}?` : `Remove ${label}?`;
}

/** Where models come from: servers by address, and the keys of the known providers. */
export function ProviderSettings({
  providers,
  canEdit,
}: {
  providers: readonly ModelProvider[];
  canEdit: boolean;
}) {
  const [open, setOpen] = useState<Open>(null);
  const { data: use } = useQuery(providerUseQuery);
  const close = () => setOpen(null);
  const add = canEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ kind: 'add' })}>
      Add a server
    </Button>
  ) : null;
  return (
    <SettingsSection
      title="Providers"
      text="Model servers by their address, and the keys of known providers. A key is sent to its provider only and never shown."
      action={add}
    >
      <ul className={classes.rows} aria-label="Providers">
        {providers.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            use={use?.find((each) => each.id === provider.id)}
            canEdit={canEdit}
            onOpen={(kind) => setOpen({ kind, provider })}
          />
        ))}
      </ul>
      <Modal
        opened={open !== null}
        onClose={close}
        title={titleOf(open)}
        size={open?.kind === 'add' || open?.kind === 'edit' ? 'lg' : 'md'}
      >
        {open?.kind === 'add' ? <AddProvider onDone={close} /> : null}
        {open?.kind === 'edit' ? <EditProvider known={open.provider} onDone={close} /> : null}
        {open?.kind === 'key' ? (
          <KeyForm provider={open.provider.id} address={open.provider.base_url} onDone={close} />
        ) : null}
        {open?.kind === 'remove' ? (
          <RemoveProvider provider={open.provider} onDone={close} />
        ) : null}
      </Modal>
    </SettingsSection>
  );
}
