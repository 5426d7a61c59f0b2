import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useId, useState } from 'react';
import type { JsonObject, ToolInfo } from '../../../api/types/types.ts';
import { DurationInput } from '../../../ui/format/duration/DurationInput.tsx';
import { PeoplePicker } from '../policy/people/PeoplePicker.tsx';
import classes from '../policy/policy.module.css';
import { Nudges } from './Nudges.tsx';
import {
  argumentsOf,
  askingWhen,
  EVERY,
  rowsOf,
  textsOf,
  type When,
  whenOf,
  whens,
  withRule,
} from './rule.ts';

interface RulesProps {
  rules: Record<string, JsonObject>;
  /** The tools that the agent is given, by name. */
  tools: readonly string[];
  known: readonly ToolInfo[];
  readOnly: boolean;
  /** What is wrong at a field of a rule. */
  problem: (tool: string, field: string) => string | undefined;
  onChange: (rules: Record<string, JsonObject> | undefined) => void;
}

/** For each tool of an agent: when a person is asked before it is called, and who decides. */
export function AskRules({ rules, tools, known, readOnly, problem, onChange }: RulesProps) {
  const [open, setOpen] = useState<string | null>(null);
  const names = tools.filter((name) => name !== 'memory_write');
  return (
    <>
      {rowsOf(names, rules).map((tool) => (
        <Rule
          key={tool}
          tool={tool}
          rule={rules[tool]}
          names={argumentsOf(tool, known)}
          readOnly={readOnly}
          isOpen={open === tool}
          problem={(field) => problem(tool, field)}
          onOpen={(isOpen) => setOpen(isOpen ? tool : null)}
          onChange={(rule) => onChange(withRule(rules, tool, rule))}
        />
      ))}
    </>
  );
}

interface RuleProps {
  tool: string;
  rule: JsonObject | undefined;
  names: readonly string[];
  readOnly: boolean;
  isOpen: boolean;
  problem: (field: string) => string | undefined;
  onOpen: (isOpen: boolean) => void;
  onChange: (rule: JsonObject) => void;
}

function Rule({ tool, rule, names, readOnly, isOpen, problem, onOpen, onChange }: RuleProps) {
  const when = whenOf(rule);
  const label = tool === EVERY ? 'Every other tool' : tool;
  const id = useId();
  const choose = (next: When) => {
    onChange(askingWhen(rule, next));
    onOpen(next !== 'never');
  };
  const wrong = problem('') ?? problem('eligible') ?? problem('rule') ?? problem('four_eyes');
  return (
    <div className={isOpen ? classes.slot : undefined}>
      <Group gap={8} justify="space-between">
        <span
          id={id}
          className={tool === EVERY ? 'gw-truncate' : 'gw-mono gw-truncate'}
          title={label}
        >
          {label}
        </span>
        <Group gap={6} wrap="nowrap">
          <NativeSelect
            size="xs"
            w={148}
            aria-label={`Ask before ${label}`}
            disabled={readOnly}
            data={[...whens]}
            value={when}
            onChange={(event) => choose(event.currentTarget.value as When)}
          />
          {when === 'never' ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Done with' : 'Choose'} who decides on ${label}`}
              onClick={() => onOpen(!isOpen)}
            >
              {isOpen ? 'Done' : 'Who'}
            </Button>
          )}
        </Group>
      </Group>
      {wrong ? (
        <p role="alert" className={classes.wrong}>
          {wrong}
        </p>
      ) : null}
      {isOpen && rule && when !== 'never' ? (
        <Details
          rule={rule}
          label={label}
          names={names}
          readOnly={readOnly}
          problem={problem}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

type DetailsProps = Pick<RuleProps, 'names' | 'readOnly' | 'problem' | 'onChange'> & {
  rule: JsonObject;
  label: string;
};

function Details({ rule, label, names, readOnly, problem, onChange }: DetailsProps) {
  const set = (field: string, value: JsonObject[string] | undefined) => {
    const next = { ...rule };
    if (value === undefined) Reflect.deleteProperty(next, field);
    else next[field] = value;
    onChange(next);
  };
  const listed = (field: string, values: string[]) =>
    set(field, values.length > 0 ? values : undefined);
  const rounds = textsOf(rule.four_eyes);
  return (
    <Group gap={10} mt={8} style={{ flexDirection: 'column', alignItems: 'stretch' }}>
      {rule.when === 'expression' ? (
        <TextInput
          size="xs"
          label="Condition over the call’s arguments"
          description="Such as arguments.amount > 100. Where it cannot be told, people are asked."
          classNames={{ input: 'gw-mono' }}
          disabled={readOnly}
          error={problem('expression')}
          value={typeof rule.expression === 'string' ? rule.expression : ''}
          onChange={(event) => set('expression', event.currentTarget.value)}
        />
      ) : null}
      <div>
        <p className={classes.note}>Who decides</p>
        <PeoplePicker
          label={`Who decides on ${label}`}
          placeholder="Everybody who reviews"
          value={textsOf(rule.eligible)}
          onChange={(entries) => listed('eligible', entries)}
          readOnly={readOnly}
        />
      </div>
      <TagsInput
        size="xs"
        label="What they may edit"
        placeholder={textsOf(rule.editable).length === 0 ? 'Nothing' : ''}
        data={[...names]}
        disabled={readOnly}
        error={problem('editable')}
        value={textsOf(rule.editable)}
        onChange={(values) => listed('editable', values)}
      />
      <Group grow align="flex-start">
        <NumberInput
          size="xs"
          label="How many must approve"
          min={1}
          max={1000}
          allowDecimal={false}
          disabled={readOnly}
          value={typeof rule.at_least === 'number' ? rule.at_least : 1}
          onChange={(value) =>
            set('at_least', typeof value === 'number' && value > 1 ? value : undefined)
          }
        />
        <DurationInput
          size="xs"
          label="Counts as refused after"
          aria-label="Counts as refused after"
          placeholder="1 day"
          min={1}
          disabled={readOnly}
          value={typeof rule.timeout_ms === 'number' ? rule.timeout_ms : null}
          onChange={(ms) => set('timeout_ms', ms ?? undefined)}
        />
      </Group>
      <Nudges rule={rule} label={label} readOnly={readOnly} set={set} />
      <Checkbox
        size="xs"
        label="Not by who started the run"
        disabled={readOnly}
        checked={rounds.includes('starter')}
        onChange={(event) =>
          listed('four_eyes', [
            ...rounds.filter((each) => each !== 'starter'),
            ...(event.currentTarget.checked ? ['starter'] : []),
          ])
        }
      />
      <Checkbox
        size="xs"
        label="A refusal needs a reason, which the agent reads"
        disabled={readOnly}
        checked={rule.require_reason === 'reject' || rule.require_reason === 'always'}
        onChange={(event) =>
          set('require_reason', event.currentTarget.checked ? 'reject' : undefined)
        }
      />
    </Group>
  );
}
