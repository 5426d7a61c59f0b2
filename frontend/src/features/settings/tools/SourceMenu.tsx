import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconLink,
  IconLinkOff,
  IconListCheck,
  IconPencil,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import type { ToolSource } from '../../../api/http/workspace/tools/tools.ts';

export type SourceVerb = 'choose' | 'change' | 'refresh' | 'remove' | 'connect' | 'disconnect';

/** What can be done with a source that this workspace named. */
export function SourceMenu({
  source,
  onVerb,
}: {
  source: ToolSource;
  onVerb: (verb: SourceVerb, source: ToolSource) => void;
}) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More about ${source.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {source.kind === 'openapi' ? (
          <Menu.Item
            leftSection={<IconListCheck size={16} />}
            onClick={() => onVerb('choose', source)}
          >
            Choose its calls
          </Menu.Item>
        ) : null}
        {source.kind === 'http' ? (
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => onVerb('connect', source)}>
            {source.connection ? 'Connect another account' : 'Connect by signing in there'}
          </Menu.Item>
        ) : null}
        {source.connection ? (
          <Menu.Item
            leftSection={<IconLinkOff size={16} />}
            onClick={() => onVerb('disconnect', source)}
          >
            Disconnect
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onVerb('change', source)}>
          Change address and credential
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          onClick={() => onVerb('refresh', source)}
        >
          Look at it again
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => onVerb('remove', source)}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
