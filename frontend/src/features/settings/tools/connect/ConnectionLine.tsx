import { Text } from '@mantine/core';
import type { ToolSource } from '../../../../api/http/workspace/tools/tools.ts';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import classes from '../tools.module.css';

/** With whose account a source is called, or why that is over. */
export function ConnectionLine({ of }: { of: NonNullable<ToolSource['connection']> }) {
  if (of.ended)
    return (
      <div className={classes.problem} role="alert">
        The sign-in is over: {of.ended}. Connect it again.
      </div>
    );
  return (
    <Text size="xs" c="dimmed" px="md" pb={8}>
      Connected{of.account ? ` as ${of.account}` : ''} at{' '}
      <span className="gw-mono">{of.issuer}</span>
      {of.given_by ? ` by ${of.given_by}` : ''} <RelativeTime at={of.given_at} />
    </Text>
  );
}
