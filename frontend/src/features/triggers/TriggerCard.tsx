import type { Trigger } from '../../api/http/runs/triggers.ts';
import { Came, type Rights, Settings, TriggerHead } from './TriggerParts.tsx';
import classes from './triggers.module.css';

interface TriggerCardProps {
  trigger: Trigger;
  can: Rights;
  /** The secret that was just made: shown until the page is left. */
  secret: string | null;
}

/** One trigger: what it is, whether it is on, and all that can be done with it. */
export function TriggerCard({ trigger, can, secret }: TriggerCardProps) {
  return (
    <li className={classes.card} data-on={trigger.on} data-trigger={trigger.id}>
      <TriggerHead trigger={trigger} can={can} />
      <div className={classes.parts}>
        <Settings trigger={trigger} can={can} secret={secret} />
        <Came trigger={trigger} can={can} />
      </div>
    </li>
  );
}
