import { IconBellRinging, IconCalendarTime, IconWebhook } from '@tabler/icons-react';

const GLYPHS: Record<string, typeof IconWebhook> = {
  schedule: IconCalendarTime,
  event: IconBellRinging,
};

/** What kind of trigger it is, as a picture. */
export function KindIcon({ kind, size }: { kind: string; size: number }) {
  const Glyph = GLYPHS[kind] ?? IconWebhook;
  return <Glyph size={size} stroke={1.7} aria-hidden />;
}
