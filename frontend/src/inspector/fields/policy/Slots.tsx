import type { JsonObject } from '../../../api/types/types.ts';
import type { Slot } from '../../../graph/policy/words.ts';
import { ConfirmSlot, OwnSlot, ReasonSlot, VetoSlot } from './choices.tsx';
import { PeopleSlot } from './people/PeopleSlot.tsx';
import { RuleSlot } from './RuleSlot.tsx';
import type { SlotProps } from './slot.ts';
import { EscalateSlot, LateSlot, RemindSlot } from './times.tsx';
import type { LateState } from './useLate.ts';

interface SlotsProps extends SlotProps {
  slot: Slot;
  /** The policy as it is written. */
  stored: JsonObject;
  late: LateState | null;
  path: string;
}

/** The editor of one part of the sentence. */
export function Slots({ slot, stored, late, path, ...part }: SlotsProps) {
  const { policy, put, readOnly } = part;
  switch (slot) {
    case 'rule':
      return <RuleSlot {...part} />;
    case 'people':
      return (
        <PeopleSlot
          label="Who may decide"
          placeholder="All reviewers"
          entries={policy.eligible ?? []}
          path={`${path}.eligible`}
          onChange={(next) => put('eligible', next.length > 0 ? next : undefined)}
          readOnly={readOnly}
        />
      );
    case 'own':
      return <OwnSlot {...part} />;
    case 'veto':
      return <VetoSlot {...part} />;
    case 'reason':
      return <ReasonSlot {...part} />;
    case 'remind':
      return <RemindSlot {...part} />;
    case 'escalate':
      return <EscalateSlot {...part} stored={stored['escalation']} />;
    case 'late':
      return late ? <LateSlot late={late} readOnly={readOnly} /> : null;
    case 'confirm':
      return <ConfirmSlot {...part} />;
  }
}
