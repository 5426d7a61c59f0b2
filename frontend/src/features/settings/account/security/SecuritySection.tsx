import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDeviceMobile, IconLifebuoy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../../api/http/client.ts';
import { sessionQuery } from '../../../../api/http/queries.ts';
import {
  factorsQuery,
  hasPasskeys,
  type Offer,
  offerCode,
  offerPasskey,
  type Passkey,
  recoveryCodes,
  removePasskey,
  renewRecoveryCodes,
  switchCodeOff,
} from '../../../../api/http/workspace/people/factors.ts';
import { confirm } from '../../../../ui/confirm.tsx';
import { ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import classes from '../../settings.module.css';
import { SettingsSection } from '../../SettingsSection.tsx';
import { NewPasskey, PasskeyRow } from './Passkeys.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RenamePasskey } from './RenamePasskey.tsx';
import { SetUpCode } from './SetUpCode.tsx';
import { useConfirmed } from './useConfirmed.tsx';

type Open =
  | { is: 'code'; offer: Offer }
  | { is: 'spare'; codes: string[] }
  | { is: 'passkey' }
  | { is: 'name'; passkey: Passkey };

const TITLES = {
  code: 'Codes of an app',
  spare: 'Your recovery codes',
  passkey: 'A new passkey',
  name: 'Rename the passkey',
};

/** What is asked for beside the password: codes of an app, passkeys, and what helps when they are lost. */
export function SecuritySection() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(factorsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const [confirmed, dialog] = useConfirmed();
  const run = (act: () => Promise<void>) =>
    confirmed(act).catch((failed: unknown) =>
      notifications.show({
        color: 'red',
        title: 'That did not work',
        message: messageOf(failed),
      }),
    );
  const again = () => client.invalidateQueries({ queryKey: factorsQuery.queryKey });
  const close = () => {
    setOpen(null);
    // What is set up now may open the workspace, and the page begins anew then.
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const showSpare = async () => setOpen({ is: 'spare', codes: await recoveryCodes() });
  const done = (wereThere: boolean) => async () => {
    await again();
    if (wereThere) close();
    else await showSpare();
  };
  const take = async (what: 'code' | number, title: string) => {
    const text = 'Your password alone lets in then, unless something else of this list is on.';
    if (!(await confirm({ title, text, confirm: 'Remove', danger: true }))) return;
    await run(async () => {
      await (what === 'code' ? switchCodeOff() : removePasskey(what));
      await again();
      close();
    });
  };
  return (
    <SettingsSection
      title="Security"
      text="A password can be guessed or stolen. With a code or a passkey it opens nothing by itself."
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={2} /> : null}
      {data ? (
        <ul className={classes.rows} aria-label="Second factors">
          <li>
            <IconDeviceMobile size={20} aria-hidden />
            <div className={classes.rowMain}>
              <b>Codes of an app</b>
              <Text size="sm" c="dimmed">
                {data.code
                  ? 'On: six digits are asked for after your password.'
                  : 'Six digits from an authenticator app on your phone, after your password.'}
              </Text>
            </div>
            {data.code ? (
              <Button variant="default" onClick={() => void take('code', 'Switch codes off?')}>
                Switch off
              </Button>
            ) : (
              <Button
                variant="default"
                onClick={() =>
                  void run(async () => {
                    const offer = await offerCode();
                    setOpen({ is: 'code', offer });
                  })
                }
              >
                Set up codes
              </Button>
            )}
          </li>
          {data.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() =>
                void run(() => {
                  setOpen({ is: 'name', passkey });
                  return Promise.resolve();
                })
              }
              onRemove={() => void take(passkey.id, `Remove ${passkey.name}?`)}
            />
          ))}
          {data.recovery === null ? null : (
            <li>
              <IconLifebuoy size={20} aria-hidden />
              <div className={classes.rowMain}>
                <b>Recovery codes</b>
                <Text size="sm" c={data.recovery > 2 ? 'dimmed' : 'orange'}>
                  {data.recovery} left, for when the app or passkey is lost.
                </Text>
              </div>
              <Button variant="default" onClick={() => void run(showSpare)}>
                Show
              </Button>
            </li>
          )}
        </ul>
      ) : null}
      {data && hasPasskeys() ? (
        <Group>
          <Button
            variant="default"
            onClick={() =>
              void run(async () => {
                await offerPasskey();
                setOpen({ is: 'passkey' });
              })
            }
          >
            Add a passkey
          </Button>
        </Group>
      ) : null}
      {dialog}
      <Modal opened={open !== null} onClose={close} title={open ? TITLES[open.is] : ''}>
        {open?.is === 'code' ? (
          <SetUpCode offer={open.offer} onDone={done(data?.recovery !== null)} onCancel={close} />
        ) : null}
        {open?.is === 'name' ? <RenamePasskey passkey={open.passkey} onDone={close} /> : null}
        {open?.is === 'passkey' ? (
          <NewPasskey onDone={done(data?.recovery !== null)} onCancel={close} />
        ) : null}
        {open?.is === 'spare' ? (
          <RecoveryCodes
            codes={open.codes}
            onRenew={() =>
              void run(async () => {
                const codes = await renewRecoveryCodes();
                await again();
                setOpen({ is: 'spare', codes });
              })
            }
            onDone={close}
          />
        ) : null}
      </Modal>
    </SettingsSection>
  );
}
