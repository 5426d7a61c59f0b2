import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../../api/http/queries.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { SettingsSection } from '../SettingsSection.tsx';
import { CallLimitSettings } from './calls/CallLimitSettings.tsx';
import { FoundList } from './FoundList.tsx';
import { ModelList } from './ModelList.tsx';
import { PriceSettings } from './prices/PriceSettings.tsx';
import { ProviderSettings } from './ProviderSettings.tsx';

/** Where models come from, which there are, what they cost. */
export function ModelsSection({ canEdit }: { canEdit: boolean }) {
  const { data, error, refetch } = useQuery(modelsQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={5} />;
  return (
    <div>
      <ProviderSettings providers={data.providers} canEdit={canEdit} />
      <SettingsSection
        title="Models"
        text="The default is what agents use that name no model of their own (local/default)."
      >
        <ModelList models={data} canEdit={canEdit} />
      </SettingsSection>
      <PriceSettings models={data} canEdit={canEdit} />
      <CallLimitSettings models={data} canEdit={canEdit} />
      {canEdit ? (
        <SettingsSection
          title="Found here"
          text="Keys in the environment and servers on this machine. Nothing is used before it is accepted."
        >
          <FoundList found={data.found} canEdit={canEdit} />
        </SettingsSection>
      ) : null}
    </div>
  );
}
