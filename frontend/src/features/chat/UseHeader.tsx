import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconForms, IconMessageCircle, IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Published } from './usePublished.ts';
import { usePageTitle } from '../../ui/page/usePageTitle.ts';
import classes from './chat.module.css';

interface UseHeaderProps {
  published: Published;
  as: 'chat' | 'form';
  children?: ReactNode;
}

/** The bar above a workflow that is used: what it is, and the other way to use it. */
export function UseHeader({ published: { graph, number }, as, children }: UseHeaderProps) {
  usePageTitle(graph.name);
  return (
    <header className={classes.head}>
      <ActionIcon component={Link} to="/workflows" aria-label="All workflows" size="lg">
        <IconArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.headMain}>
        <h1 className="gw-truncate">{graph.name}</h1>
        <p className="gw-truncate">{graph.description || `Version ${number}`}</p>
      </div>
      {children}
      {as === 'chat' ? (
        <Tooltip label="Use it as a form">
          <ActionIcon component={Link} to={`/workflows/${graph.id}/form`} aria-label="Form">
            <IconForms size={18} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Tooltip label="Use it as a chat">
          <ActionIcon component={Link} to={`/workflows/${graph.id}/chat`} aria-label="Chat">
            <IconMessageCircle size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      <Button
        className={classes.wide}
        component={Link}
        to={`/workflows/${graph.id}`}
        variant="default"
        size="xs"
        leftSection={<IconPencil size={14} />}
      >
        Editor
      </Button>
    </header>
  );
}
