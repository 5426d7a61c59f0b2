/** A call that an agent wants to make, in words: where it goes, and what it does there. */

import type { EffectClass, InterruptRequest } from '../../../../api/types/types.ts';

type Asked = Pick<InterruptRequest, 'tool' | 'source' | 'source_kind' | 'host'>;

/** The name of a tool without that of its source. */
export function toolName({ tool = '', source }: Asked): string {
  const lead = source ?? tool.split('/')[0] ?? '';
  return tool.startsWith(`${lead}/`) ? tool.slice(lead.length + 1) : tool;
}

const at = (host: string | undefined): string => (host ? `, at ${host}` : '');

/** Where a call goes; of a question from before that was recorded, the source alone. */
export function goesTo(asked: Asked): string {
  const source = asked.source ?? asked.tool?.split('/')[0] ?? '';
  switch (asked.source_kind) {
    case 'api':
      return `The service ${source}${at(asked.host)}`;
    case 'mcp':
      return `The tool server ${source}${at(asked.host)}`;
    case 'program':
      return `The program ${source}, which runs beside Graphwright`;
    default:
      return source === 'python' || asked.source_kind === 'function'
        ? 'Code that is installed with Graphwright'
        : source;
  }
}

const effects: Record<EffectClass, string> = {
  pure: 'Works with the values below and changes nothing, so there is nothing to take back',
  read: 'Looks something up and changes nothing, so there is nothing to take back',
  llm: 'Asks a model and changes nothing else; what it costs cannot be taken back',
  keyed: 'Changes something. It cannot be taken back from here; sent again, it counts once',
  probe:
    'Changes something. It cannot be taken back from here; whether it happened can be looked up',
  unsafe:
    'May change something. It cannot be taken back from here; sent again, it may happen twice',
};

/** What a call does, and whether it can be taken back; empty of what nobody classed. */
export const doesWhat = (effect: EffectClass | undefined): string =>
  effect === undefined ? '' : effects[effect];
