import type { Of } from '../../api/http/workspace/telling.ts';
import { ChannelList } from './channels/ChannelList.tsx';
import { NoticeList } from './NoticeList.tsx';
import { RuleList } from './rules/RuleList.tsx';

/** Where somebody is told, of what, and what was told: one's own, or the workspace's. */
export function Telling({ of }: { of: Of }) {
  return (
    <>
      <ChannelList of={of} />
      <RuleList of={of} />
      <NoticeList of={of} />
    </>
  );
}
