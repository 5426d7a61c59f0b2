import type { Interrupt } from '../../../../api/types/types.ts';

/** Who else is at an item: the name of the person who claimed it, null where that is nobody or oneself. */
export const otherAt = ({ claim }: Pick<Interrupt, 'claim'>, me: string | undefined) =>
  claim === null || claim.by.id === me ? null : claim.by.name;

/** What is said before many items are decided of which others have claimed some; empty without any. */
export function claimedText(
  items: readonly Pick<Interrupt, 'claim'>[],
  me: string | undefined,
): string {
  const names = items.map((item) => otherAt(item, me)).filter((name) => name !== null);
  if (names.length === 0) return '';
  const who = [...new Set(names)].join(', ');
  const count = names.length === 1 ? 'One of them is' : `${names.length} of them are`;
  return `${count} claimed by ${who}, who may be deciding now.`;
}
