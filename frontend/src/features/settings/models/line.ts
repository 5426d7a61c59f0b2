/** What a provider is told as in one line of the settings. */

import type { ModelProvider, ProviderUser } from '../../../api/types/types.ts';
import type { ProviderUse } from '../../../api/http/workspace/models.ts';
import { capital, formatDuration, formatUsd } from '../../../ui/format/format.ts';

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function modelsText(provider: ModelProvider, canEdit: boolean): string {
  if (provider.source === 'hosted') {
    if (provider.has_key || provider.from_environment) return '';
    return canEdit ? 'set a key to use its models' : 'an admin can set a key for its models';
  }
  if (provider.models.length === 0) return provider.problem ? '' : 'no models known';
  return counted(provider.models.length, 'model');
}

/** How the last test went; how fast a server was that is away now says nothing. */
function testText({ tested, problem }: ModelProvider): string {
  if (tested === null) return '';
  if (problem || tested.error !== '') return ''; // its state says that
  return tested.first_token_ms === null
    ? `answered in ${formatDuration(tested.total_ms)}`
    : `first token ${formatDuration(tested.first_token_ms)}`;
}

/** How a provider stands, in one word of state: what went wrong comes before what is set. */
export function providerState(provider: ModelProvider): { text: string; color: string } {
  const hosted = provider.source === 'hosted';
  if (hosted && !provider.has_key && !provider.from_environment)
    return { text: 'no key', color: 'gray' };
  if (!hosted && provider.reachable === false) return { text: 'does not answer', color: 'yellow' };
  if (provider.tested !== null && provider.tested.error !== '')
    return { text: 'last test failed', color: 'red' };
  if (!hosted) return { text: 'answers', color: 'green' };
  if (provider.tested !== null) return { text: 'key works', color: 'green' };
  const key = provider.has_key ? 'key set' : 'key of the environment';
  return { text: `${key}, not tested yet`, color: 'gray' };
}

/** `4 models · first token 210 ms · $12 this month · 3 workflows`: what is not known is left out. */
export function providerLine(
  provider: ModelProvider,
  use: ProviderUse | undefined,
  canEdit: boolean,
): string {
  const users = (kind: ProviderUser['kind']) =>
    use?.used_by.filter((user) => user.kind === kind).length ?? 0;
  const [agents, workflows] = [users('agent'), users('workflow')];
  const line = [
    modelsText(provider, canEdit),
    testText(provider),
    use && use.calls > 0 ? `${formatUsd(use.spent_usd)} this month` : '',
    use && use.unpriced_calls > 0 ? `${counted(use.unpriced_calls, 'call')} without a price` : '',
    workflows > 0 ? counted(workflows, 'workflow') : '',
    agents > 0 ? counted(agents, 'agent') : '',
    users('default') > 0 ? 'default' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
  return capital(line);
}

/** Where what uses a provider is changed. */
export function placeOf(user: ProviderUser): string {
  if (user.kind === 'workflow') return `/workflows/${user.id}`;
  return user.kind === 'agent' ? '/settings/agents' : '/settings/models';
}
