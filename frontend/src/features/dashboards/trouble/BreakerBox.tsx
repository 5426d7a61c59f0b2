import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconShieldOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Breaker, breakersQuery } from '../../../api/http/boards.ts';
import { api, messageOf } from '../../../api/http/client.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import classes from '../dashboard.module.css';

/** Circuits that are open because their target kept failing, of all workflows or one, each with a reset. */
export function BreakerBox({ graph }: { graph?: string | undefined }) {
  const client = useQueryClient();
  const { data } = useQuery(breakersQuery);
  const reset = useMutation({
    mutationFn: (id: string) => api.post(`breakers/${id}/reset/`),
    onSuccess: () => client.invalidateQueries({ queryKey: breakersQuery.queryKey }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: 'It could not be reset',
        message: messageOf(error),
      }),
  });
  const ask = async (breaker: Breaker) => {
    const text = `The next attempt at ${breaker.target} is made at once. If it fails again, the circuit opens again.`;
    if (await confirm({ title: 'Close this circuit?', text, confirm: 'Reset' }))
      reset.mutate(breaker.id);
  };
  const shown = (data?.results ?? []).filter((one) => !graph || one.graph?.id === graph);
  if (!data || shown.length === 0) return null;
  return (
    <section className={classes.box} aria-label="Open circuits">
      <header className={classes.boxHead}>
        <h2>Open circuits</h2>
        <span className={classes.aside}>their target kept failing</span>
      </header>
      <ul className={classes.lines}>
        {shown.map((breaker) => (
          <li key={breaker.id}>
            <IconShieldOff size={15} aria-hidden />
            <span className="gw-truncate">
              {breaker.graph ? (
                <Link to={`/workflows/${breaker.graph.id}`}>
                  <bdi>{breaker.graph.name}</bdi>
                </Link>
              ) : null}{' '}
              · <bdi>{breaker.node}</bdi> → <span className="gw-mono">{breaker.target}</span>
            </span>
            <span className={classes.aside}>
              {breaker.state === 'half_open' ? (
                'being probed'
              ) : (
                <>
                  {breaker.failures} failures
                  {breaker.opened_at ? (
                    <>
                      , open since <RelativeTime at={breaker.opened_at} />
                    </>
                  ) : null}
                </>
              )}
            </span>
            <Tooltip label="Operators and admins reset circuits" disabled={data.can_reset}>
              <Button
                size="compact-sm"
                variant="default"
                data-disabled={!data.can_reset || undefined}
                aria-disabled={!data.can_reset}
                loading={reset.isPending && reset.variables === breaker.id}
                onClick={() => (data.can_reset ? void ask(breaker) : undefined)}
              >
                Reset
              </Button>
            </Tooltip>
          </li>
        ))}
      </ul>
    </section>
  );
}
