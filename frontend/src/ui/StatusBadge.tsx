import { statusLook, type AnyStatus } from './status.ts';
import classes from './ui.module.css';

interface StatusProps {
  status: AnyStatus;
  size?: number;
}

/** The icon of a status in its colour; the word is its accessible name. */
export function StatusIcon({ status, size = 14 }: StatusProps) {
  const { icon: Glyph, color, label, spins } = statusLook(status);
  return (
    <span role="img" aria-label={label} className={classes.statusIcon} data-color={color}>
      <Glyph size={size} stroke={2.2} className={spins ? classes.spin : undefined} aria-hidden />
    </span>
  );
}

/** Icon and word of a status in a tinted pill. `detail` follows the word ("Waiting · approval"). */
export function StatusBadge({ status, detail }: StatusProps & { detail?: string }) {
  const { icon: Glyph, color, label, spins } = statusLook(status);
  return (
    <span className={classes.status} data-color={color}>
      <Glyph size={13} stroke={2.2} className={spins ? classes.spin : undefined} aria-hidden />
      <span className="gw-truncate">{detail ? `${label} · ${detail}` : label}</span>
    </span>
  );
}
