import type { ReactNode } from 'react';
import { Checkbox, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import type { Interrupt, ItemChange, JsonObject, JsonSchema } from '../../../api/types/types.ts';
import { blobOf, isObject } from '../../../run/values/json.ts';
import { visible } from '../../../run/values/visible.ts';
import { SpendMeter } from '../../../liverun/SpendMeter.tsx';
import { ValueView } from '../../../liverun/ValueView.tsx';
import { Kbd } from '../../../ui/keys/Kbd.tsx';
import { formatTokens, formatUsd } from '../../../ui/format/format.ts';
import { answerFields, editsOf, inputsNow, othersFields, ownInputs } from './answer.ts';
import { DoubtBody } from './doubt/DoubtBody.tsx';
import { factsAndProse, factText, labelAmong } from './fields/fieldLook.ts';
import { tabOn } from './gesture/tabOn.ts';
import { NumberBox } from './fields/NumberBox.tsx';
import { shownOf } from './fields/whole.ts';
import classes from '../inbox.module.css';
import { Changes } from '../item/Changes.tsx';
import { CallFacts } from '../item/call/CallFacts.tsx';
import { isToolCall } from '../names.ts';
import { useConductor, useRhythm } from '../rhythm/conductor.ts';
import { OthersFields } from './rights/OthersFields.tsx';
import { TypedForm } from './TypedForm.tsx';
import type { DecisionControl } from './useDecision.ts';

interface BodyProps {
  control: DecisionControl;
  readOnly: boolean;
  /** Whether keys work here, and are drawn. */
  hints?: boolean;
  schemas?: Schemas | undefined;
}
type Schemas = Readonly<Record<string, JsonSchema>>;

interface ReviewedProps {
  data: JsonObject;
  schemas: Schemas;
  /** The fields of the item, also those that are shown elsewhere. */
  names: readonly string[];
  /** What is edited, between the facts and the longer texts that are not. */
  children?: ReactNode;
}

/** The reviewed values: facts first, longer text last and marked as what it is. */
function Reviewed({ data, schemas, names, children }: ReviewedProps) {
  const [facts, prose] = factsAndProse(data);
  return (
    <>
      {facts.length > 0 ? (
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{labelAmong(name, names, schemas)}</dt>
              <dd>{factText(name, value, schemas[name]) ?? <ValueView value={value} />}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {children}
      {prose.map(([name, value]) => (
        <figure key={name} className={classes.prose}>
          <figcaption>
            {labelAmong(name, names, schemas)} · text from the run, shown as it is
          </figcaption>
          <ValueView value={value} />
        </figure>
      ))}
    </>
  );
}

/** What a person has written, as changes of what is shown. */
const ownChanges = (edits: JsonObject, shown: JsonObject): ItemChange[] =>
  Object.entries(edits).map(([key, after]) => ({
    key,
    before: shown[key] ?? null,
    after,
    added: !(key in shown),
    by: null,
  }));

export function ApprovalBody({ control, readOnly, schemas }: BodyProps) {
  const { item, draft, mode, problems, change } = control;
  const { data } = item.request;
  const fields = answerFields(item);
  const others = othersFields(item);
  const editing = mode === 'edit' && !readOnly;
  const shown = shownOf(item);
  const isAlone = useConductor() === null;
  const isCalled = useRhythm((state) => state.phase === 'edit') || isAlone;
  const inForm = new Set(editing ? [...fields, ...others].map(({ name }) => name) : []);
  const left = Object.fromEntries(Object.entries(shown).filter(([name]) => !inForm.has(name)));
  const looks = {
    ...item.request.edit_schema?.properties,
    ...(isToolCall(item) ? {} : schemas),
  };
  const edits = editing || readOnly || mode === 'reject' ? {} : editsOf(item, draft).edits;
  return (
    <Stack gap="md">
      {isToolCall(item) ? <CallFacts item={item} /> : null}
      <Changes
        title="Your edits, not sent yet"
        changes={ownChanges(edits, shown)}
        schemas={looks}
        mine
      />
      <Reviewed data={{ ...left, ...edits }} schemas={looks} names={Object.keys(shown)}>
        {editing ? (
          <section aria-label="Your edits" className={classes.editBox} onKeyDown={tabOn}>
            <TypedForm
              focusFirst={isCalled}
              fields={fields}
              values={inputsNow(item, draft)}
              problems={problems}
              before={shown}
              onChange={(inputs) => change({ inputs: ownInputs(item, inputs) })}
            />
            <OthersFields item={item} withValues />
          </section>
        ) : null}
      </Reviewed>
      {isObject(data) && blobOf(data) === null ? null : (
        <ValueView value={data} empty="Nothing was given to review." />
      )}
      {editing || readOnly ? null : <OthersFields item={item} withValues={false} />}
    </Stack>
  );
}

/** Options of a question that a number key chooses. */
const KEYED = 9;

export function QuestionBody({ control, readOnly, hints = false }: BodyProps) {
  const { item, draft, problems, change } = control;
  const { kind, request } = item;
  if (readOnly) return null;
  if (kind === 'form') {
    return (
      <TypedForm
        fields={answerFields(item)}
        values={draft.inputs}
        problems={problems}
        onChange={(inputs) => change({ inputs })}
      />
    );
  }
  if (kind === 'text') {
    return (
      <Textarea
        label="Your answer"
        value={draft.text}
        minRows={3}
        maxRows={12}
        error={problems.selected}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    );
  }
  const options = request.options ?? [];
  const cards = options.map((option, place) => (
    <label
      key={option.id}
      className={classes.option}
      data-picked={draft.picked.includes(option.id) || undefined}
    >
      {kind === 'choice' ? (
        <Radio value={option.id} size="sm" />
      ) : (
        <Checkbox value={option.id} size="sm" />
      )}
      <span>
        <b>{visible(option.label)}</b>
        {option.description ? (
          <Text size="sm" c="dimmed">
            {visible(option.description)}
          </Text>
        ) : null}
      </span>
      {hints && place < KEYED ? (
        <span className={classes.optionKey} aria-hidden>
          <Kbd keys={String(place + 1)} />
        </span>
      ) : null}
    </label>
  ));
  return kind === 'choice' ? (
    <Radio.Group
      label="Pick one"
      error={problems.selected}
      value={draft.picked[0] ?? ''}
      onChange={(id) => change({ picked: [id] })}
    >
      <Stack gap={6} mt={6}>
        {cards}
      </Stack>
    </Radio.Group>
  ) : (
    <Checkbox.Group
      label="Pick one or more"
      error={problems.selected}
      value={draft.picked}
      onChange={(picked) => change({ picked })}
    >
      <Stack gap={6} mt={6}>
        {cards}
      </Stack>
    </Checkbox.Group>
  );
}

const levels: Record<string, string> = {
  run: 'this run',
  node: 'this node',
  graph: 'the workflow',
  workspace: 'the workspace',
};

/** What the next call may take, in the unit of the limit that it meets. */
function askedOf({
  limit_usd: limit,
  asked_usd: usd,
  asked_tokens: tokens,
}: Interrupt['request']): { verb: string; sum: string } | null {
  if (!limit && tokens) return { verb: 'take', sum: `${formatTokens(tokens)} tokens` };
  return usd ? { verb: 'cost', sum: formatUsd(usd) } : null;
}

export function BudgetBody({ control, readOnly }: BodyProps) {
  const { item, draft, problems, change } = control;
  const { request } = item;
  const asked = askedOf(request);
  const spend = {
    usd: request.spent_usd ?? '0',
    tokens: request.spent_tokens ?? 0,
    heldUsd: request.held_usd ?? '0',
    heldTokens: request.held_tokens ?? 0,
  };
  return (
    <Stack gap="md">
      <Text>
        The budget of {levels[request.level ?? 'run'] ?? request.level} does not cover the next call
        {asked === null ? null : (
          <>
            , which may {asked.verb} up to <b className="gw-num">{asked.sum}</b>
          </>
        )}
        . Nothing more is spent until someone decides; a raise goes on at the same step and buys
        nothing twice.
      </Text>
      {request.level === 'graph' || request.level === 'workspace' ? (
        <Text size="sm" c="dimmed">
          Other runs spend from it too. A raise holds until its period ends and takes an admin;
          anyone who decides here may stop the run.
          {item.expires_at ? ' If nobody decides, the step is tried again in the next period.' : ''}
        </Text>
      ) : null}
      <SpendMeter
        spend={spend}
        limitUsd={request.limit_usd ?? null}
        limitTokens={request.limit_tokens ?? null}
      />
      {readOnly ? null : (
        <Group grow align="flex-start">
          {request.limit_usd ? (
            <div>
              <NumberBox
                label="New limit"
                description={`Now ${formatUsd(request.limit_usd)}`}
                unit="USD"
                value={draft.limitUsd}
                error={problems.limitUsd}
                onChange={(limitUsd) => change({ limitUsd })}
              />
            </div>
          ) : null}
          {request.limit_tokens ? (
            <div>
              <NumberBox
                label="New token limit"
                description={`Now ${formatTokens(request.limit_tokens)}`}
                isWhole
                placeholder="as it is"
                value={draft.limitTokens}
                error={problems.limitTokens}
                onChange={(limitTokens) => change({ limitTokens })}
              />
            </div>
          ) : null}
        </Group>
      )}
    </Stack>
  );
}

/** What an item asks, by its kind. */
export function ItemBody({ control, readOnly, hints = false, schemas }: BodyProps) {
  const kind: Interrupt['kind'] = control.item.kind;
  if (kind === 'approval')
    return <ApprovalBody control={control} readOnly={readOnly} schemas={schemas} />;
  if (kind === 'budget') return <BudgetBody control={control} readOnly={readOnly} />;
  if (kind === 'in_doubt') return <DoubtBody control={control} readOnly={readOnly} />;
  return <QuestionBody control={control} readOnly={readOnly} hints={hints} />;
}
