import { IconArrowForwardUp, IconBeach } from '@tabler/icons-react';
import { useSession } from '../../../../api/http/queries.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import classes from '../../inbox.module.css';
import { givenText, placeOf } from './place.ts';

/** Beside the kind of an item: for whom one decides it, where that is not oneself. */
export function PlaceMark({ item }: { item: Interrupt }) {
  const place = placeOf(item, useSession().data?.user?.id);
  if (place === null) return null;
  return (
    <span className={classes.kind} data-tone="amber">
      <IconBeach size={14} stroke={2} aria-hidden />
      for {place.name}
    </span>
  );
}

/** Beside the kind of an item: who gave it to the reader, or to whom it was given. */
export function GivenMark({ item }: { item: Interrupt }) {
  const given = givenText(item, useSession().data?.user?.id);
  if (given === null) return null;
  return (
    <span className={classes.kind} data-tone="blue">
      <IconArrowForwardUp size={14} stroke={2} aria-hidden />
      {given}
    </span>
  );
}
