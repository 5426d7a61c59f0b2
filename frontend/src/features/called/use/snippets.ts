/** How a workflow is called from a program, filled with its address and its input. */

import type { Offer } from '../../../api/http/workspace/called.ts';
import type { Json } from '../../../api/types/types.ts';
import type { Scope } from '../tokens/scopes.ts';

export interface Called {
  graphId: string;
  offer: Offer;
  /** What the workflow begins with. */
  input: Json;
}

export interface Snippet {
  id: string;
  label: string;
  /** What a token needs for it. */
  scopes: Scope[];
  /** Which switch must be on. */
  needs: 'tool' | 'chat' | null;
  text: (called: Called) => string;
}

const START_AND_READ: Scope[] = ['runs:start', 'runs:read'];
const START: Scope[] = ['runs:start'];

const json = (value: unknown, indent = 2) => JSON.stringify(value, null, indent);
/** A text in single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** JSON as Python writes it. */
const python = (value: Json): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${python(each as Json)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
};
const startUrl = ({ offer, graphId }: Called) => `${offer.address}/api/graphs/${graphId}/runs/`;
const mcpUrl = ({ offer }: Called) => `${offer.address}/mcp/${offer.workspace}/`;
const said = (input: Json) => (typeof input === 'string' ? input : JSON.stringify(input));

/** What is said above the key: who copies the code and changes the input meets it first. */
const KEY = 'a key of its own for each thing you start: the same key is the same run';

const curl = (called: Called) => `export GRAPHWRIGHT_TOKEN=gw_…

# ${KEY}
curl --fail-with-body -sS ${startUrl(called)} \\
  -H "Authorization: Bearer $GRAPHWRIGHT_TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711" \\
  -d ${quoted(JSON.stringify({ input: called.input }))}

# the answer names the run, or says what is wrong: ask what came of it
curl --fail-with-body -sS ${called.offer.address}/api/runs/RUN_ID/ \\
  -H "Authorization: Bearer $GRAPHWRIGHT_TOKEN"`;

const pythonText = (called: Called) => `# pip install httpx
import os
import sys
import time

import httpx

http = httpx.Client(
    base_url="${called.offer.address}/api",
    headers={"Authorization": f"Bearer {os.environ['GRAPHWRIGHT_TOKEN']}"},
)


def answered(answer):
    if answer.is_error:
        sys.exit(f"{answer.status_code}: {answer.text}")  # what is wrong, in its words
    return answer.json()


started = http.post(
    "/graphs/${called.graphId}/runs/",
    json={"input": ${python(called.input)}},
    # ${KEY}
    headers={"Idempotency-Key": "order-4711"},
)
run_id = answered(started)["id"]
while (run := answered(http.get(f"/runs/{run_id}/")))["status"] in ("queued", "running"):
    time.sleep(1)
if run["status"] in ("failed", "cancelled", "timeout"):
    sys.exit(f"{run['status']}: {run['error']}")
print(run["status"], run["result"])`;

const typescript = (called: Called) => `const headers = {
  Authorization: \`Bearer \${process.env.GRAPHWRIGHT_TOKEN}\`,
  'Content-Type': 'application/json',
};
const started = await fetch('${startUrl(called)}', {
  method: 'POST',
  // ${KEY}
  headers: { ...headers, 'Idempotency-Key': 'order-4711' },
  body: JSON.stringify(${json({ input: called.input }).replaceAll('\n', '\n  ')}),
});
if (!started.ok) throw new Error(await started.text());
const { id } = await started.json();
let run;
do {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const asked = await fetch(\`${called.offer.address}/api/runs/\${id}/\`, { headers });
  if (!asked.ok) throw new Error(await asked.text());
  run = await asked.json();
} while (['queued', 'running'].includes(run.status));
if (['failed', 'cancelled', 'timeout'].includes(run.status))
  throw new Error(\`\${run.status}: \${JSON.stringify(run.error)}\`);
console.log(run.status, run.result);`;

const openai = (called: Called) => `# pip install openai
import os

from openai import OpenAI

client = OpenAI(
    base_url="${called.offer.address}/v1",
    api_key=os.environ["GRAPHWRIGHT_TOKEN"],
)
answer = client.chat.completions.create(
    model="${called.offer.model}",
    messages=[{"role": "user", "content": ${JSON.stringify(said(called.input))}}],
    # ${KEY}
    extra_headers={"Idempotency-Key": "order-4711"},
)
print(answer.choices[0].message.content)`;

const mcp = (called: Called) =>
  json({
    mcpServers: {
      graphwright: {
        type: 'http',
        url: mcpUrl(called),
        headers: { Authorization: 'Bearer ${GRAPHWRIGHT_TOKEN}' },
      },
    },
  });

/** The ways to call a workflow. */
export const snippets: readonly Snippet[] = [
  { id: 'curl', label: 'curl', scopes: START_AND_READ, needs: null, text: curl },
  { id: 'python', label: 'Python', scopes: START_AND_READ, needs: null, text: pythonText },
  { id: 'typescript', label: 'TypeScript', scopes: START_AND_READ, needs: null, text: typescript },
  { id: 'mcp', label: 'MCP', scopes: START, needs: 'tool', text: mcp },
  { id: 'openai', label: 'OpenAI', scopes: START, needs: 'chat', text: openai },
];

/** A name of a tool for a workflow: what clients do not take becomes a dash. */
export const toolNameFor = (slug: string): string =>
  slug.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 60) || 'workflow';
