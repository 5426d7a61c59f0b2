import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { valuesQuery } from '../../../api/http/runs/valuesQuery.ts';
import { useEditor } from '../../../store/editor.ts';
import { type Evaluating, useForm } from '../../form/context.ts';
import classes from './values.module.css';

interface ReadsUseProps {
  keys: readonly string[];
  onChange: (keys: string[], label: string) => void;
}

const alike = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((key) => other.includes(key));

function Use({ keys, onChange, scene }: ReadsUseProps & { scene: Evaluating }) {
  const { at } = useForm();
  const saved = useEditor((state) => state.save === 'saved');
  const { data } = useQuery(valuesQuery(scene, at));
  if (!data) return null;
  const idle = data.idle.filter((key) => keys.includes(key));
  const used = data.used ?? null;
  if (used === null)
    return <p className={classes.none}>This node may use everything that it can read.</p>;
  return (
    <div className={classes.uses}>
      <p className={classes.none}>
        {used.length > 0 ? `Its fields use ${used.join(', ')}.` : 'Its fields use nothing of this.'}
      </p>
      {idle.map((key) => (
        <div key={key} className={classes.idle}>
          <span>
            No field uses <span className="gw-mono">{key}</span>
          </span>
          <Button
            size="compact-xs"
            variant="light"
            aria-label={`Remove ${key}`}
            onClick={() =>
              onChange(
                keys.filter((each) => each !== key),
                `Remove ${key}`,
              )
            }
          >
            Remove
          </Button>
        </div>
      ))}
      {alike(used, keys) ? null : (
        <Button
          size="compact-xs"
          variant="default"
          disabled={!saved}
          onClick={() => onChange(used, 'Narrow to what is used')}
        >
          Narrow to what is used
        </Button>
      )}
    </div>
  );
}

/** Which of a node's read keys its fields use, and what takes the others away. Nothing for who only reads. */
export function ReadsUse(props: ReadsUseProps) {
  const { evaluating, at } = useForm();
  return evaluating && at ? <Use {...props} scene={evaluating} /> : null;
}
