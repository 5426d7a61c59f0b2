import { queryOptions } from '@tanstack/react-query';
import type { SkillOut } from '../../../types/schema.gen.ts';
import { api } from '../../client.ts';

/** What agents may learn by calling `tool`; `characters` is what that adds to a conversation. */
export type SkillInfo = SkillOut;

/** The skills of the installation, with who of the workspace names them. */
export const skillsQuery = queryOptions({
  queryKey: ['skills'],
  queryFn: () => api.get<{ results: SkillInfo[] }>('skills/'),
});
