import type { JsonSchema } from '../../api/types/types.ts';

/** Whether a workflow starts with named values, which a form asks for and a message cannot give. */
export function asksForFields(inputs: JsonSchema | undefined): boolean {
  if (!inputs) return false;
  return inputs.type === 'object' || Object.keys(inputs.properties ?? {}).length > 0;
}
