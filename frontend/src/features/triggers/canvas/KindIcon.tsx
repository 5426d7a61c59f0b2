import { IconCalendarTime, IconWebhook } from '@tabler/icons-react';

/** What kind of trigger it is, as a picture. */
export function KindIcon({ kind, size }: { kind: string; size: number }) {
  const Glyph = kind === 'webhook' ? IconWebhook : IconCalendarTime;
  return <Glyph size={size} stroke={1.7} aria-hidden />;
}
