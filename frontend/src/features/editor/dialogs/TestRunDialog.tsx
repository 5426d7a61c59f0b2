import {
  Button,
  Group,
  JsonInput,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api, ApiError, messageOf } from '../../../api/http/client.ts';
import type {
  Json,
  JsonObject,
  JsonSchema,
  RunStart,
  RunSummary,
} from '../../../api/types/types.ts';
import { samplesOf } from '../../../graph/fields/fields.ts';
import { emptyForm, FormContext } from '../../../inspector/form/context.ts';
import { SchemaForm } from '../../../inspector/form/SchemaForm.tsx';
import { useEditor } from '../../../store/editor.ts';
import { saveNow } from '../../../store/saving.ts';
import { Kbd } from '../../../ui/keys/Kbd.tsx';

type How = 'form' | 'text' | 'json';
interface Remembered {
  how: How;
  text: string;
  json: string;
  form: JsonObject;
  budget: string;
}

const storageKey = (graphId: string) => `graphwright.test-input.${graphId}`;

/** What the dialog begins with: the interface's first example, in the form that suits it. */
function beginning(inputs: JsonSchema | undefined, hasForm: boolean): Remembered {
  const empty: Remembered = {
    how: hasForm ? 'form' : 'text',
    text: '',
    json: '{}',
    form: {},
    budget: '',
  };
  const example = inputs?.examples?.[0];
  if (example === undefined || example === null) return { ...empty, form: samplesOf(inputs) };
  if (typeof example === 'string') return { ...empty, text: example };
  if (hasForm && typeof example === 'object' && !Array.isArray(example))
    return { ...empty, form: example };
  return { ...empty, how: 'json', json: JSON.stringify(example, null, 2) };
}

function remembered(graphId: string, inputs: JsonSchema | undefined, hasForm: boolean): Remembered {
  const fresh = beginning(inputs, hasForm);
  try {
    const stored = {
      ...fresh,
      ...(JSON.parse(localStorage.getItem(storageKey(graphId)) ?? '{}') as Partial<Remembered>),
    };
    return stored.how === 'form' && !hasForm ? { ...stored, how: 'text' } : stored;
  } catch {
    return fresh;
  }
}

function inputOf({ how, text, json, form }: Remembered): Json {
  if (how === 'form') return form;
  return how === 'text' ? text : (JSON.parse(json) as Json);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface TestRunProps {
  graphId: string;
  /** The node after which the run stops; absent: it goes to its end. */
  until?: string;
  onClose: () => void;
}

/** Start a run of the draft as it is now, and go to it. */
export function TestRunDialog({ graphId, until, onClose }: TestRunProps) {
  const navigate = useNavigate();
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const hasForm = Object.keys(inputs?.properties ?? {}).length > 0;
  const limit = useEditor((state) => state.records.settings.limits?.budget_usd);
  const [state, setState] = useState(() => remembered(graphId, inputs, hasForm));
  const set = (change: Partial<Remembered>) => setState((before) => ({ ...before, ...change }));
  const last = useEditor((store) => (until ? store.records.nodes.get(until)?.label || until : ''));
  const ready = state.how !== 'json' || isJson(state.json);
  const start = useMutation({
    mutationFn: async () => {
      localStorage.setItem(storageKey(graphId), JSON.stringify(state));
      await saveNow();
      const body: RunStart = {
        draft: true,
        input: inputOf(state),
        ...(state.budget ? { budget_usd: state.budget } : {}),
        ...(until ? { until } : {}),
      };
      return api.post<RunSummary>(`graphs/${graphId}/runs/`, body, {
        headers: { 'Idempotency-Key': crypto.randomUUID() },
      });
    },
    onSuccess: (run) => void navigate(`/runs/${run.id}`),
  });
  const modes = [
    ...(hasForm ? [{ value: 'form', label: 'Form' }] : []),
    { value: 'text', label: 'Text' },
    { value: 'json', label: 'JSON' },
  ];
  return (
    <Modal opened onClose={onClose} title={until ? 'Run to here' : 'Test run'}>
      <Stack
        gap="md"
        onKeyDown={(event) =>
          event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready && start.mutate()
        }
      >
        {until ? (
          <Text size="sm" c="dimmed">
            Once “{last}” has completed nothing more is started, and the run ends with what is
            there.
          </Text>
        ) : null}
        <Group justify="space-between">
          <Text size="sm" fw={500}>
            Input
          </Text>
          <SegmentedControl
            size="xs"
            data={modes}
            value={state.how}
            onChange={(how) => set({ how: how as How })}
            aria-label="Kind of input"
          />
        </Group>
        {state.how === 'form' && inputs ? (
          <FormContext value={emptyForm}>
            <SchemaForm schema={inputs} value={state.form} onChange={(form) => set({ form })} />
          </FormContext>
        ) : null}
        {state.how === 'text' ? (
          <Textarea
            aria-label="Input"
            placeholder="What the run starts with"
            minRows={5}
            maxRows={14}
            data-autofocus
            value={state.text}
            onChange={(event) => set({ text: event.currentTarget.value })}
          />
        ) : null}
        {state.how === 'json' ? (
          <JsonInput
            aria-label="Input"
            autosize
            minRows={5}
            maxRows={14}
            formatOnBlur
            validationError="This is not JSON"
            value={state.json}
            onChange={(json) => set({ json })}
          />
        ) : null}
        <TextInput
          label="Budget of this run, in USD"
          leftSection="$"
          placeholder={limit ? `${limit} (limit of the graph)` : 'No cap'}
          value={state.budget}
          w={240}
          inputMode="decimal"
          onChange={(event) => set({ budget: event.currentTarget.value.replace(/[^0-9.]/g, '') })}
        />
        {start.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(start.error)}
            {start.error instanceof ApiError
              ? start.error.problems
                  .slice(0, 3)
                  .map((problem) => ` ${problem.message}`)
                  .join('')
              : ''}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Tooltip label={<Kbd keys="Mod+Enter" />}>
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              disabled={!ready}
              loading={start.isPending}
              onClick={() => start.mutate()}
            >
              Run the draft
            </Button>
          </Tooltip>
        </Group>
      </Stack>
    </Modal>
  );
}
