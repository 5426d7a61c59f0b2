import type { Interrupt, Json, JsonObject, JsonSchema } from '../../../../api/types/types.ts';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { blobOf, isObject } from '../../../../run/values/json.ts';
import { factText, labelOf } from '../../decide/fields/fieldLook.ts';
import classes from '../../inbox.module.css';
import { isStartHidden, showsNothing } from './startShown.ts';
import own from './startedWith.module.css';

type Schemas = Readonly<Record<string, JsonSchema>>;

interface StartedWithProps {
  item: Interrupt;
  input: Json | undefined;
  schemas?: Schemas | undefined;
}

/** What the run was given at its start, folded; open where the item shows nothing else. */
export function StartedWith({ item, input, schemas = {} }: StartedWithProps) {
  if (!isStartHidden(item, input)) return null;
  return (
    <details className={own.start} open={showsNothing(item)}>
      <summary>What the run started with</summary>
      {isObject(input) && blobOf(input) === null ? (
        <Fields fields={input} schemas={schemas} />
      ) : (
        <div className={own.value}>
          <ValueView value={input} />
        </div>
      )}
    </details>
  );
}

function Fields({ fields, schemas }: { fields: JsonObject; schemas: Schemas }) {
  return (
    <dl className={classes.facts}>
      {Object.entries(fields).map(([name, value]) => {
        const schema = schemas[`input.${name}`];
        return (
          <div key={name}>
            <dt>{labelOf(name, schema)}</dt>
            <dd>{factText(name, value, schema) ?? <ValueView value={value} />}</dd>
          </div>
        );
      })}
    </dl>
  );
}
