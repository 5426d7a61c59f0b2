import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCompass, IconLock } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { useSession } from '../../api/http/queries.ts';
import type { Session } from '../../api/types/types.ts';
import { AgentSettings } from './AgentSettings.tsx';
import { AuditSettings } from './audit/AuditSettings.tsx';
import { BudgetSettings } from './BudgetSettings.tsx';
import { CredentialSettings } from './access/CredentialSettings.tsx';
import { GroupSettings } from './access/groups/GroupSettings.tsx';
import { MemberSettings } from './access/MemberSettings.tsx';
import { ModelsSection } from './models/ModelsSection.tsx';
import pages from '../../ui/page/pages.module.css';
import classes from './settings.module.css';
import { SignInSettings } from './access/signIn/SignInSettings.tsx';
import { TokenSettings } from './access/TokenSettings.tsx';
import { Telling } from '../telling/Telling.tsx';
import { ToolSettings } from './tools/ToolSettings.tsx';
import { WorkspaceSettings } from './WorkspaceSettings.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../ui/page/Skeletons.tsx';

interface Place {
  id: string;
  label: string;
  adminOnly?: boolean;
}
const groups: { title: string; places: Place[] }[] = [
  {
    title: 'What agents use',
    places: [
      { id: 'agents', label: 'Agents' },
      { id: 'models', label: 'Models and prices' },
      { id: 'tools', label: 'Tools' },
      { id: 'credentials', label: 'Credentials' },
    ],
  },
  {
    title: 'Who comes in',
    places: [
      { id: 'members', label: 'Members' },
      { id: 'groups', label: 'Groups' },
      { id: 'sign-in', label: 'Sign-in', adminOnly: true },
      { id: 'tokens', label: 'API tokens' },
    ],
  },
  {
    title: 'Running it',
    places: [
      { id: 'budgets', label: 'Budgets' },
      { id: 'channels', label: 'Notifications', adminOnly: true },
      { id: 'workspace', label: 'Workspace' },
      { id: 'audit', label: 'Audit log', adminOnly: true },
    ],
  },
];
const sections = groups.flatMap((group) => group.places);

const NOWHERE = { icon: IconCompass, title: 'There is nothing at this address' };
const notTheirs = ({ label }: Place) => ({
  icon: IconLock,
  title: `Only admins can open “${label}”`,
  text: 'An admin of this workspace can look something up for you.',
});

/** Agents, models, tools, credentials, members, groups, tokens, budgets, channels, the workspace itself, and what people did. */
export default function SettingsPage() {
  const { section = 'agents' } = useParams();
  const { data: session } = useSession();
  const isShown = (each: Place) =>
    !each.adminOnly || !session || session.workspace?.role === 'admin';
  const nav = useRef<HTMLElement>(null);
  const isLoaded = session !== undefined;
  const isNarrow = useMediaQuery('(max-width: 760px)');
  useEffect(() => {
    // On a phone, also one that was turned, the sections stand in one row that is wider than the screen.
    const chosen = nav.current?.querySelector('[aria-current]');
    chosen?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [section, isLoaded, isNarrow]);
  const shown = sections.find((each) => each.id === section);
  const isTheirs = sections.some((each) => each.id === section && isShown(each));
  return (
    <div className={pages.page}>
      <PageHeader
        title="Settings"
        tab={`${shown?.label ?? 'Nothing here'} · Settings`}
        text={session?.workspace?.name}
      />
      <div className={classes.layout}>
        <nav ref={nav} className={classes.nav} aria-label="Settings">
          {groups.map(({ title, places }) => (
            <div key={title} role="group" aria-label={title}>
              <p aria-hidden>{title}</p>
              {places.filter(isShown).map((each) => (
                <Link
                  key={each.id}
                  to={`/settings/${each.id}`}
                  aria-current={each.id === section ? 'page' : undefined}
                >
                  {each.label}
                </Link>
              ))}
            </div>
          ))}
        </nav>
        {!session ? <ListSkeleton rows={4} /> : null}
        {session && isTheirs ? <Section section={section} session={session} /> : null}
        {session && !isTheirs ? (
          <EmptyState
            {...(shown ? notTheirs(shown) : NOWHERE)}
            action={
              <Button component={Link} to="/settings" variant="default">
                Back to the settings
              </Button>
            }
          />
        ) : null}
      </div>
    </div>
  );
}

function Section({ section, session }: { section: string; session: Session }) {
  const role = session.workspace?.role ?? 'viewer';
  const isAdmin = role === 'admin';
  if (section === 'models') return <ModelsSection canEdit={isAdmin} />;
  if (section === 'tools') return <ToolSettings canEdit={isAdmin} />;
  if (section === 'credentials') return <CredentialSettings canEdit={isAdmin} />;
  if (section === 'members')
    return <MemberSettings canEdit={isAdmin} me={session.user?.id ?? null} />;
  if (section === 'groups') return <GroupSettings canEdit={isAdmin} />;
  if (section === 'budgets')
    return <BudgetSettings timezone={session.workspace?.settings.timezone ?? 'UTC'} />;
  if (section === 'tokens')
    return <TokenSettings me={session.user?.id ?? null} isAdmin={isAdmin} />;
  if (section === 'audit') return <AuditSettings />;
  if (section === 'sign-in')
    return session.workspace ? <SignInSettings workspace={session.workspace} /> : null;
  if (section === 'channels')
    return (
      <div>
        <Telling of="workspace" />
      </div>
    );
  if (section === 'workspace')
    return session.workspace ? (
      <WorkspaceSettings
        key={session.workspace.id}
        workspace={session.workspace}
        canEdit={isAdmin}
      />
    ) : null;
  return <AgentSettings canEdit={isAdmin || role === 'author'} />;
}
