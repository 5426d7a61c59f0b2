import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Fragment, type MouseEvent } from 'react';
import type { Piece, Slot } from '../../../graph/policy/words.ts';
import classes from './policy.module.css';

interface SentenceProps {
  pieces: readonly Piece[];
  offers: readonly (readonly [Slot, string])[];
  /** The slot that is open, and where its editor is. */
  open: Slot | null;
  controls: string;
  /** Where problems of a slot are said, so that they lead to it. */
  pathOf: (slot: Slot) => string;
  onOpen: (slot: Slot) => void;
}

/** The policy as a sentence whose parts open; what it does not say yet stands below it. */
export function Sentence({ pieces, offers, open, controls, pathOf, onOpen }: SentenceProps) {
  const button = (slot: Slot) => ({
    'aria-expanded': open === slot,
    'aria-controls': open === slot ? controls : undefined,
    'data-slot': slot,
    // the cursor leaves what is typed when the click is done: words that it takes may move this part
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: () => onOpen(slot),
  });
  return (
    <>
      <p className={classes.sentence}>
        {pieces.map((piece, place) =>
          typeof piece === 'string' ? (
            <Fragment key={place}>{piece}</Fragment>
          ) : (
            <span key={piece.slot} data-field={pathOf(piece.slot)}>
              <button type="button" className={classes.chip} {...button(piece.slot)}>
                {piece.words}
              </button>
            </span>
          ),
        )}
      </p>
      {offers.length > 0 ? (
        <div className={classes.offers}>
          {offers.map(([slot, words]) => (
            <span key={slot} data-field={pathOf(slot)}>
              <Button
                size="compact-xs"
                variant={open === slot ? 'light' : 'default'}
                leftSection={<IconPlus size={12} />}
                {...button(slot)}
              >
                {words}
              </Button>
            </span>
          ))}
        </div>
      ) : null}
    </>
  );
}
