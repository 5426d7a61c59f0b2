import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { DecidingForm } from './DecidingForm.tsx';
import { LookForm } from './LookForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { IdentitySection } from './security/IdentitySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';
import { SessionList } from './SessionList.tsx';
import { api, messageOf } from '../../../api/http/client.ts';
import { sessionQuery, useSession } from '../../../api/http/queries.ts';
import type { Session } from '../../../api/types/types.ts';
import pages from '../../../ui/page/pages.module.css';
import classes from '../settings.module.css';
import { AwaySection } from '../away/AwaySection.tsx';
import { SettingsSection, useSave } from '../SettingsSection.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';

type Me = NonNullable<Session['user']>;

const parts = [
  { id: '', label: 'You' },
  { id: '#security', label: 'Password and security' },
  { id: '#absences', label: 'Away' },
];

/** One's own account: name, time and look; password, second factors, sessions; when one is away. */
export default function ProfilePage() {
  const { data: session } = useSession();
  const { hash } = useLocation();
  const [params] = useSearchParams();
  const user = session?.user;
  const asked = hash === '' && params.has('refused') ? '#security' : hash;
  const here = asked === '#away' ? '#absences' : asked;
  return (
    <div className={pages.page}>
      <PageHeader title="Profile" text="Your account, in every workspace." />
      <div className={classes.layout}>
        <nav className={classes.nav} aria-label="Profile">
          <div>
            {parts.map(({ id, label }) => (
              <Link
                key={id}
                to={`/profile${id}`}
                aria-current={
                  (parts.some((each) => each.id === here) ? here : '') === id ? 'page' : undefined
                }
              >
                {label}
              </Link>
            ))}
          </div>
        </nav>
        {user && session ? (
          <Part here={here} user={user} session={session} />
        ) : (
          <ListSkeleton rows={4} />
        )}
      </div>
    </div>
  );
}

function Part({ here, user, session }: { here: string; user: Me; session: Session }) {
  if (here === '#security')
    return (
      <div>
        <SettingsSection
          title="Password"
          text="When it changes, every other browser in which you are signed in is asked for the new one."
        >
          <PasswordForm email={user.email} />
        </SettingsSection>
        <SecuritySection />
        <IdentitySection />
        <SessionList />
      </div>
    );
  if (here === '#absences') return <AwaySection person={user} />;
  return (
    <div>
      <SettingsSection
        title="You"
        text="Others see this name beside what you start, change and decide."
      >
        <NameForm key={user.id} known={user.name} email={user.email} />
      </SettingsSection>
      <LookForm me={user} workspaceZone={session.workspace?.settings.timezone ?? 'UTC'} />
      <DecidingForm />
    </div>
  );
}

function NameForm({ known, email }: { known: string; email: string }) {
  const [name, setName] = useState(known);
  const save = useSave(sessionQuery.queryKey, () => api.patch('profile/', { name: name.trim() }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const same = name.trim() === known;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={380}>
        <TextInput
          label="Name"
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput label="E-mail" description="You sign in with it." value={email} readOnly />
        {save.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(save.error)}
          </Text>
        ) : null}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending} disabled={same}>
            Save name
          </Button>
          {save.isSuccess && same ? (
            <Text size="sm" c="dimmed" role="status">
              Saved
            </Text>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}
