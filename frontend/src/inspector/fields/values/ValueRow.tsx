import { UnstyledButton } from '@mantine/core';
import { startDrag } from './dragging.ts';
import { detailOf, type KnownValue } from './known.ts';
import { type Fit, type Offer, offersOf } from './offers.ts';
import classes from './values.module.css';

interface ValueRowProps {
  info: KnownValue;
  fit: Fit;
  onPick: (info: KnownValue, offer?: Offer) => void;
  onDrag: (dragged: boolean) => void;
}

function Was({ when, text }: { when: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <span className={`${classes.last} gw-truncate`} title={text}>
      <span className={classes.hint}>{when}: </span>
      {text === '' ? '(empty)' : text}
    </span>
  );
}

/** A value of the tree: what it is, who wrote it, what it was last; a click or a drag puts it in. */
export function ValueRow({ info, fit, onPick, onDrag }: ValueRowProps) {
  const offers = offersOf(info, fit);
  return (
    <div className={classes.row}>
      <UnstyledButton
        className={classes.value}
        aria-label={`Put in ${info.name}`}
        draggable
        onDragStart={(event) => {
          startDrag(event, info);
          onDrag(true);
        }}
        onDragEnd={() => onDrag(false)}
        onClick={() => onPick(info)}
      >
        <span className={classes.name}>
          <span className="gw-mono gw-truncate">
            {fit === 'key' ? (info.grant ?? info.name) : info.name}
          </span>
          {info.maybe ? <span className={classes.chip}>may be missing</span> : null}
          {info.readable || fit === 'key' ? null : (
            <span className={classes.chip} title="Choosing it allows this node to read it">
              allows reading
            </span>
          )}
        </span>
        <span className={`${classes.hint} gw-truncate`}>{detailOf(info)}</span>
        <Was when="Last run" text={info.last} />
        <Was when="Test input" text={info.next} />
      </UnstyledButton>
      {offers.length > 0 ? (
        <div className={classes.offers} role="group" aria-label={`Ways to put in ${info.name}`}>
          {offers.map((offer) => (
            <UnstyledButton
              key={offer.label}
              className={classes.offer}
              aria-label={`${offer.label} of ${info.name}`}
              onClick={() => onPick(info, offer)}
            >
              {offer.label}
            </UnstyledButton>
          ))}
        </div>
      ) : null}
    </div>
  );
}
