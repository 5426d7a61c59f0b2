import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useSession } from '../../api/http/queries.ts';
import { useUnread } from '../../api/http/workspace/mentions.ts';
import classes from './shell.module.css';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const items = () => import('./PersonItems.tsx');
const PersonItems = lazyOnDemand(items);
const NewWorkspace = lazyOnDemand(() => import('./NewWorkspace.tsx'));

/** Who you are and where: profile, workspaces, the look of the pages, the way out. */
export function PersonMenu() {
  const { data: session } = useSession();
  const [making, setMaking] = useState<boolean | null>(null);
  const name = session?.user?.name ?? 'You';
  const unread = useUnread();
  const told = unread > 0 ? `, ${unread} unread ${unread === 1 ? 'mention' : 'mentions'}` : '';
  return (
    <>
      <Menu position="right-end" width={250} withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <UnstyledButton
            className={classes.person}
            aria-label={`${name}: menu${told}`}
            onMouseEnter={() => void items()}
            onFocus={() => void items()}
          >
            <Avatar size={28} radius="xl" color="accent" variant="light">
              {name.slice(0, 1).toUpperCase()}
            </Avatar>
            {unread > 0 ? (
              <span className={classes.count} data-count={Math.min(unread, 99)} />
            ) : null}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Suspense>
            <PersonItems unread={unread} onNew={() => setMaking(true)} />
          </Suspense>
        </Menu.Dropdown>
      </Menu>
      {making === null ? null : (
        <Suspense>
          <NewWorkspace opened={making} onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  );
}
