import type { ModelInfo } from '../../api/types/types.ts';

/** What an agent without a model of its own names. */
const DEFAULT_MODEL = 'local/default';

/** A model as the settings call it; one that is gone by its id. */
export const modelName = (id: string, models: readonly ModelInfo[] | undefined): string =>
  models?.find((model) => model.id === id)?.label ??
  (id === DEFAULT_MODEL ? 'Default of the workspace' : id);
