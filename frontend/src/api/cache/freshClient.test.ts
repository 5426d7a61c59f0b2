import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { FreshClient } from './freshClient.ts';

/** A question whose answers come when they are told to, with what was true when it was asked. */
function slow(client: FreshClient) {
  let truth = 'before';
  const answers: (() => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => {
      const seen = truth;
      return new Promise<string>((resolve) => answers.push(() => resolve(seen)));
    },
  });
  return { observer, answers, change: () => (truth = 'after') };
}

test('a first answer that was asked for before a change is not kept', async () => {
  const client = new FreshClient();
  const { observer, answers, change } = slow(client);
  const end = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);

  change();
  const told = client.invalidateQueries({ queryKey: ['list'] });
  expect(answers).toHaveLength(2);
  for (const answer of answers) answer();
  await told;

  expect(observer.getCurrentResult()).toMatchObject({ data: 'after', isError: false });
  end();
});

test('who waits for the first answer gets the one that was asked after the change', async () => {
  const client = new FreshClient();
  const { observer, answers, change } = slow(client);
  const end = observer.subscribe(() => {});
  const waiting = client.fetchQuery(observer.options);

  change();
  const told = client.invalidateQueries({ queryKey: ['list'] });
  answers[1]?.();
  await told;

  await expect(waiting).resolves.toBe('after');
  end();
});

test('a question that nobody looks at yet is asked anew, too', async () => {
  const client = new FreshClient();
  const { observer, answers, change } = slow(client);
  const waiting = client.fetchQuery(observer.options);

  change();
  await client.invalidateQueries({ queryKey: ['list'] });
  expect(answers).toHaveLength(2);
  for (const answer of answers) answer();

  await expect(waiting).resolves.toBe('after');
});
