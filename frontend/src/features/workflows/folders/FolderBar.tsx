import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconFolder, IconFolderOff, IconFolderPlus, IconPencil } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { foldersQuery } from '../../../api/http/workspace/folders.ts';
import classes from './folders.module.css';
import { insideOf, nameOf, wayTo, workflowsWord } from './paths.ts';
import { DRAGGED } from './useMove.tsx';

interface FolderBarProps {
  folder: string;
  mayMove: boolean;
  onFolder: (folder: string) => void;
  onNew: () => void;
  onRename: () => void;
  /** The folder goes; what lies in it moves up to the one around it. */
  onRemove: () => void;
  /** Workflows were dropped onto a folder. */
  onDropped: (graphs: string[], folder: string) => void;
}

/** Where one is among the folders, those that lie right in it, and the way to a new one. */
export function FolderBar(props: FolderBarProps) {
  const { folder, mayMove, onFolder, onNew, onRename, onRemove, onDropped } = props;
  const { data: folders = [] } = useQuery(foldersQuery);
  if (folders.length === 0 && folder === '' && !mayMove) return null;
  const way = wayTo(folder);
  return (
    <nav className={classes.bar} aria-label="Folders">
      {folder ? (
        <ol className={classes.way}>
          {['', ...way].map((path) => (
            <li key={path}>
              <Place path={path} here={path === folder} onFolder={onFolder} onDropped={onDropped}>
                {path ? nameOf(path) : 'All workflows'}
              </Place>
            </li>
          ))}
        </ol>
      ) : null}
      {folder && mayMove ? (
        <>
          <Tooltip label="Rename this folder">
            <ActionIcon size="sm" aria-label="Rename this folder" onClick={onRename}>
              <IconPencil size={15} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Remove this folder; its workflows stay, one folder up">
            <ActionIcon size="sm" aria-label="Remove this folder" onClick={onRemove}>
              <IconFolderOff size={15} />
            </ActionIcon>
          </Tooltip>
        </>
      ) : null}
      {insideOf(folders, folder).map(({ path, workflows }) => (
        <Place
          key={path}
          path={path}
          here={false}
          onFolder={onFolder}
          onDropped={onDropped}
          count={workflows}
        >
          {nameOf(path)}
        </Place>
      ))}
      {mayMove ? (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconFolderPlus size={15} aria-hidden />}
          onClick={onNew}
        >
          New folder
        </Button>
      ) : null}
    </nav>
  );
}

interface PlaceProps extends Pick<FolderBarProps, 'onFolder' | 'onDropped'> {
  path: string;
  here: boolean;
  count?: number;
  children: string;
}

function Place({ path, here, count, children, onFolder, onDropped }: PlaceProps) {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent) => event.dataTransfer.types.includes(DRAGGED);
  return (
    <Button
      size="compact-sm"
      variant={count === undefined ? 'subtle' : 'default'}
      color="gray"
      className={classes.place}
      data-over={over || undefined}
      aria-current={here ? 'page' : undefined}
      leftSection={count === undefined ? null : <IconFolder size={15} aria-hidden />}
      rightSection={count === undefined ? null : <span className={classes.count}> {count}</span>}
      aria-label={count === undefined ? undefined : `${children}, ${workflowsWord(count)}`}
      onClick={() => onFolder(path)}
      onDragOver={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!takes(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onDropped(event.dataTransfer.getData(DRAGGED).split('\n'), path);
      }}
    >
      {children}
    </Button>
  );
}
