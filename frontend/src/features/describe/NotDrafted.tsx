import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Proposal } from '../../api/http/workspace/describe.ts';
import { Money } from '../../ui/format/Money.tsx';
import classes from './describe.module.css';

const titles = {
  refused: 'No draft came of it',
  failed: 'The model did not draft it',
  stopped: 'Stopped',
} as const;
const MOST = 5;

/** Why there is no draft, and the way back to the words. */
export function NotDrafted({ proposal, onBack }: { proposal: Proposal; onBack: () => void }) {
  const { status, message, wrong, spent_usd: spent } = proposal;
  const title = titles[status as keyof typeof titles];
  return (
    <Stack gap="sm" data-draft={status}>
      <Alert color={status === 'stopped' ? 'gray' : 'orange'} title={title}>
        {message}
        {wrong.length > 0 ? (
          <>
            <p className={classes.advice}>
              Say it in other or fewer words, or choose a more capable model.
            </p>
            <details>
              <summary>What was wrong with the answers</summary>
              <ul>
                {wrong.slice(0, MOST).map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </details>
          </>
        ) : null}
      </Alert>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Cost <Money usd={spent} />
        </Text>
        <Button onClick={onBack} data-autofocus>
          Change the words
        </Button>
      </Group>
    </Stack>
  );
}
