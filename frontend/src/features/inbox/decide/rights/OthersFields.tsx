import { IconLock } from '@tabler/icons-react';
import type { Interrupt, Json } from '../../../../api/types/types.ts';
import { ValueView } from '../../../../liverun/ValueView.tsx';
import { isObject } from '../../../../run/values/json.ts';
import classes from '../../inbox.module.css';
import { othersFields } from '../answer.ts';
import { formatted } from '../fields/fieldLook.ts';

const listed = (who: readonly string[]): string => {
  const text =
    who.length < 2
      ? (who[0] ?? 'somebody else')
      : `${who.slice(0, -1).join(', ')} or ${who.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** What is shown beside one's own edits and only others may change, with who that is. */
export function OthersFields({ item, withValues }: { item: Interrupt; withValues: boolean }) {
  const fields = othersFields(item);
  if (fields.length === 0) return null;
  const shown: Record<string, Json> = isObject(item.request.data) ? item.request.data : {};
  const schemas = item.request.edit_schema?.properties ?? {};
  return (
    <dl className={classes.others} aria-label="What others may edit">
      {fields.map(({ name, label }) => (
        <div key={name}>
          <dt>{label}</dt>
          {withValues ? (
            <dd>{formatted(shown[name], schemas[name]) ?? <ValueView value={shown[name]} />}</dd>
          ) : null}
          <dd className={classes.lock}>
            <IconLock size={13} aria-hidden /> {listed(item.not_mine_to_edit[name] ?? [])} may edit
            this
          </dd>
        </div>
      ))}
    </dl>
  );
}
