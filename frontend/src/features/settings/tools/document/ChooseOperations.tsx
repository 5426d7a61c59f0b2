import { Autocomplete, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../../api/http/client.ts';
import {
  type ApiOperationsOut,
  operationsQuery,
} from '../../../../api/http/workspace/tools/sources.ts';
import { ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import { SaveProblem, useSave } from '../../SettingsSection.tsx';
import { effectWords } from '../effects.ts';
import classes from './operations.module.css';
import ui from '../../../../ui/ui.module.css';

/** Which calls of an API become tools, and the server they go to. */
export function ChooseOperations({ name, onDone }: { name: string; onDone: () => void }) {
  const { data, error, refetch } = useQuery(operationsQuery(name));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <Form name={name} known={data} onDone={onDone} /> : <ListSkeleton rows={6} />;
}

function Form({
  name,
  known,
  onDone,
}: {
  name: string;
  known: ApiOperationsOut;
  onDone: () => void;
}) {
  const [server, setServer] = useState(known.server || known.servers[0] || '');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(
    () => new Set(known.operations.filter((each) => each.chosen).map((each) => each.name)),
  );
  const save = useSave(
    ['tools'],
    () => api.post(`tool-sources/${name}/operations/`, { operations: [...chosen], server }),
    onDone,
  );
  const asked = words.trim().toLowerCase();
  const shown = known.operations.filter((each) =>
    `${each.name} ${each.method} ${each.path} ${each.description}`.toLowerCase().includes(asked),
  );
  const set = (names: string[], on: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      for (const each of names) {
        if (on) next.add(each);
        else next.delete(each);
      }
      return next;
    });
  const all = shown.length > 0 && shown.every((each) => chosen.has(each.name));
  const isUntouched = chosen.size === 0 && !known.operations.some((each) => each.chosen);
  const some = shown.some((each) => chosen.has(each.name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Autocomplete
          label="Server"
          description="All calls go here, whatever else the document names"
          placeholder="https://api.example.com/v1"
          required
          withAsterisk={false}
          data={known.servers}
          value={server}
          onChange={setServer}
        />
        {known.operations.length > 8 ? (
          <TextInput
            label="Find a call"
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        ) : null}
        <Checkbox
          label={`${chosen.size} of ${known.operations.length} chosen`}
          aria-label={all ? 'Choose none of those shown' : 'Choose all that are shown'}
          checked={all}
          indeterminate={some && !all}
          disabled={shown.length === 0}
          onChange={() =>
            set(
              shown.map((each) => each.name),
              !all,
            )
          }
        />
        <ul className={classes.operations} aria-label="Calls of the API">
          {shown.map((each) => (
            <li key={each.name}>
              <Checkbox
                checked={chosen.has(each.name)}
                onChange={(event) => set([each.name], event.currentTarget.checked)}
                label={
                  <>
                    <b className="gw-mono">{each.name}</b>{' '}
                    <span className={classes.effect}>{effectWords[each.effect_class]}</span>
                    <span className={classes.what}>
                      <span className="gw-mono">
                        {each.method} {each.path}
                      </span>
                      {each.description ? ` · ${each.description}` : ''}
                    </span>
                  </>
                }
              />
            </li>
          ))}
        </ul>
        <Refused known={known} />
        <Text size="sm" c="dimmed">
          What you choose is accepted as it is now. If the document changes, you are asked again.
        </Text>
        <SaveProblem error={save.error} />
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          <Button variant="default" onClick={onDone}>
            Not now
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isUntouched}>
            {isUntouched ? 'Choose calls to use' : verbFor(chosen.size)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const verbFor = (count: number): string =>
  count === 0 ? 'Use none of them' : `Use ${count} as ${count === 1 ? 'a tool' : 'tools'}`;

function Refused({ known }: { known: ApiOperationsOut }) {
  if (known.refused_total === 0) return null;
  return (
    <details className={classes.refused}>
      <summary>
        {known.refused_total} {known.refused_total === 1 ? 'part' : 'parts'} of the document could
        not be taken
      </summary>
      <ul>
        {known.refused.map((each, index) => (
          <li key={index}>
            <span className="gw-mono">{each.where}</span>: {each.why}
          </li>
        ))}
        {known.refused_total > known.refused.length ? (
          <li>and {known.refused_total - known.refused.length} more</li>
        ) : null}
      </ul>
    </details>
  );
}
