import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../../../api/http/queries.ts';
import { standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import type { Person } from '../../../api/types/types.ts';
import { SettingsSection } from '../SettingsSection.tsx';
import { AwayList } from './AwayList.tsx';
import { whenText } from './words.ts';

/** When one is away oneself, and for whom one stands in. */
export function AwaySection({ person }: { person: Person }) {
  const { data: session } = useSession();
  const { data: all = [] } = useQuery(standInsQuery);
  const box = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  const asked = hash === '#away';
  useEffect(() => {
    if (asked) box.current?.scrollIntoView({ block: 'center' });
  }, [asked]);
  const standing = all.filter(({ to }) => to.id === person.id);
  const where = session?.workspace?.name ?? 'this workspace';
  return (
    <div ref={box} id="away">
      <SettingsSection
        title="Away"
        text={`Who decides in your place while you are away, in ${where}. Everyone there sees it.`}
      >
        {standing.map((one) => (
          <p key={one.id}>
            You stand in for <b>{one.absent.name}</b> {whenText(one)}.
          </p>
        ))}
        <AwayList person={person} own asked={asked ? key : null} />
      </SettingsSection>
    </div>
  );
}
