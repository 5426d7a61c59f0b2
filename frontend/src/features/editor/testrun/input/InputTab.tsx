import { JsonInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useId, useMemo } from 'react';
import { emptyForm, FormContext } from '../../../../inspector/form/context.ts';
import { SchemaForm } from '../../../../inspector/form/SchemaForm.tsx';
import { useEditor } from '../../../../store/editor.ts';
import { Samples } from './Samples.tsx';
import { Refused } from './Refused.tsx';
import { hasForm, type How, jsonTrouble, roomy, shownAs, withoutEmpty } from './testInput.ts';
import classes from '../testrun.module.css';
import { enter, useTesting } from '../testing.ts';

/** What the next test run starts with: typed fields where the interface names them, else a text or JSON. */
export function InputTab() {
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const limit = useEditor((state) => state.records.settings.limits?.budget_usd);
  const input = useTesting((state) => state.input);
  const budget = useId();
  const form = hasForm(inputs);
  const how = input.how === 'form' && !form ? 'text' : input.how;
  const kinds = [
    ...(form ? [{ value: 'form', label: 'Form' }] : []),
    { value: 'text', label: 'Text' },
    { value: 'json', label: 'JSON' },
  ];
  return (
    <div className={classes.input}>
      <div className={classes.inputBar}>
        <SegmentedControl
          size="xs"
          data={kinds}
          value={how}
          onChange={(next) => enter(shownAs(input, next as How, inputs))}
          aria-label="Kind of input"
        />
        <Samples />
        <div className={classes.budget}>
          <label htmlFor={budget}>Budget of this run</label>
          <TextInput
            id={budget}
            size="xs"
            leftSection="$"
            placeholder={limit ? `${limit} (limit of the workflow)` : 'No cap on this run'}
            value={input.budget}
            w={200}
            inputMode="decimal"
            onChange={(event) =>
              enter({ budget: event.currentTarget.value.replace(/[^0-9.]/g, '') })
            }
          />
        </div>
      </div>
      <Refused />
      <Entry how={how} />
    </div>
  );
}

function Entry({ how }: { how: How }) {
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const { text, json, form } = useTesting((state) => state.input);
  const problems = useTesting((state) => state.problems);
  const schema = useMemo(() => (inputs ? roomy(inputs) : undefined), [inputs]);
  const scene = useMemo(() => ({ ...emptyForm, problems }), [problems]);
  const whole = problems.find(({ path }) => path === '')?.message;
  const [problem] = problems;
  const first = problem?.path ? `${problem.path}: ${problem.message}` : whole;
  if (how === 'form' && schema)
    return (
      <>
        {whole ? (
          <p className={classes.refusal} role="alert">
            {whole}
          </p>
        ) : null}
        <div className={classes.fields}>
          <FormContext value={scene}>
            <SchemaForm
              schema={schema}
              value={form}
              onChange={(next) => enter({ form: withoutEmpty(next) })}
            />
          </FormContext>
        </div>
      </>
    );
  if (how === 'json')
    return (
      <JsonInput
        aria-label="Input"
        autosize
        minRows={6}
        formatOnBlur
        classNames={{ input: 'gw-mono' }}
        value={json}
        error={jsonTrouble(json) ?? first}
        onChange={(next) => enter({ json: next })}
      />
    );
  return (
    <Textarea
      aria-label="Input"
      placeholder="What the run starts with"
      minRows={6}
      value={text}
      error={whole}
      onChange={(event) => enter({ text: event.currentTarget.value })}
    />
  );
}
