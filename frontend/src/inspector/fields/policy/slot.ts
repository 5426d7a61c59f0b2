import type { Json } from '../../../api/types/types.ts';
import type { Policy } from '../../../graph/policy/policy.ts';

/** What the editor of a slot is given. */
export interface SlotProps {
  policy: Policy;
  /** Set one property of the policy; undefined takes it away. */
  put: (name: keyof Policy, next: Json | undefined) => void;
  readOnly: boolean;
}
