import { resolve } from '../../../graph/schema/schema.ts';
import { outgoing } from '../../../graph/document/document.ts';
import { withDeadlineWay } from '../../../graph/policy/deadline.ts';
import { shortDuration } from '../../../ui/format/duration/durations.ts';
import { useEditor } from '../../../store/editor.ts';
import { useBeside } from '../../form/beside.ts';
import { useForm } from '../../form/context.ts';

export interface LateState {
  /** As stored; null where the default holds. */
  after_ms: number | null;
  usual: string;
  min: number | undefined;
  max: number | undefined;
  setAfter: (ms: number | null) => void;
  /** The node that follows then; empty where it counts as rejected. */
  target: string;
  targetName: string | null;
  /** Null where the form is not that of a node. */
  setTarget: ((id: string) => void) | null;
  /** Several wires say where it goes. */
  locked: boolean;
  /** What holds: the stored time, or the default. */
  holds: number | null;
}

/** The deadline beside a policy: a property of the same object, and the wire `timed_out`; null where there is none. */
export function useLate(name: string | undefined): LateState | null {
  const beside = useBeside();
  const { node, nodes } = useForm();
  const records = useEditor((state) => state.records);
  if (!beside || !name) return null;
  const schema = resolve(beside.schema.properties?.[name] ?? {}, beside.schema);
  const stored = beside.value?.[name];
  const usual = typeof schema.default === 'number' ? schema.default : null;
  const after = typeof stored === 'number' ? stored : null;
  const ways = node ? outgoing(records, node).filter(({ on }) => on === 'timed_out') : [];
  const target = ways[0]?.target ?? '';
  return {
    after_ms: after,
    holds: after ?? usual,
    usual: usual === null ? 'None' : shortDuration(usual),
    min: schema.minimum,
    max: schema.maximum,
    setAfter: (ms) => beside.set(name, ms ?? undefined),
    target,
    targetName:
      target === '' ? null : (nodes.find(({ value }) => value === target)?.label ?? target),
    locked: ways.length > 1 || ways.some(({ condition, when }) => condition || when),
    setTarget: node
      ? (id) =>
          useEditor
            .getState()
            .gesture('Change what follows a missed deadline', (now) =>
              withDeadlineWay(now, node, id),
            )
      : null,
  };
}
