import { useBeside } from '../../form/beside.ts';
import { problemAt, useForm } from '../../form/context.ts';
import type { FieldProps } from '../../form/field.ts';
import { FieldLabel } from '../Frame.tsx';
import classes from '../policy/policy.module.css';
import { AskRules } from './AskRules.tsx';
import { rulesOf, textsOf } from './rule.ts';

/** When people are asked before an agent of the workflow calls its tools. */
export default function AsksField({ schema, value, onChange, label, path }: FieldProps) {
  const { tools: known, problems, readOnly } = useForm();
  const tools = textsOf(useBeside()?.value?.tools);
  return (
    <div role="group" aria-label={label} className={classes.policy}>
      <FieldLabel label={label} help={schema.description} />
      <AskRules
        rules={rulesOf(value)}
        tools={tools}
        known={known}
        readOnly={readOnly}
        problem={(tool, field) =>
          problemAt(problems, field ? `${path}.${tool}.${field}` : `${path}.${tool}`)
        }
        onChange={onChange}
      />
    </div>
  );
}
