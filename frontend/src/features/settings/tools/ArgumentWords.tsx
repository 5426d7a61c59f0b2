import { argumentChanges } from '../../../api/http/workspace/tools/argumentChanges.ts';
import type { SourceTool } from '../../../api/http/workspace/tools/tools.ts';

/** What changed of a tool's arguments since it was accepted, in words. */
export function ArgumentWords({ tool }: { tool: SourceTool }) {
  const said = argumentChanges(tool);
  if (said.length === 0) return null;
  return (
    <ul aria-label="Arguments that changed">
      {said.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}
