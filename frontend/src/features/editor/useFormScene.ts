import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import {
  agentsQuery,
  credentialsQuery,
  functionsQuery,
  graphsQuery,
  modelsQuery,
  toolsQuery,
} from '../../api/http/queries.ts';
import { runQuery } from '../../api/http/lists.ts';
import { samplesQuery } from '../../api/http/samples.ts';
import { allowed } from '../../graph/editing/cures.ts';
import { DEFAULT_MODEL } from '../../graph/editing/ownAgents.ts';
import { memoryKeys, namesForEdge, namesForNode } from '../../graph/schema/names.ts';
import type { Names } from '../../graph/schema/summary.ts';
import { emptyForm, type Evaluating, type FormScene } from '../../inspector/form/context.ts';
import type { Subject } from '../../inspector/subject.ts';
import { useEditor } from '../../store/editor.ts';
import { useUntouched } from '../../store/untouched.ts';
import { quieted } from './proof/needs.ts';
import { checked } from './testrun/input/testInput.ts';
import { useTesting } from './testrun/testing.ts';

/** The agents of the workspace and of the graph; the workspace's win. */
function useAgents() {
  const { data = [] } = useQuery(agentsQuery);
  const own = useEditor((state) => state.records.settings.agents);
  useEffect(() => useEditor.setState({ reserved: new Set(data.map((agent) => agent.id)) }), [data]);
  return useMemo(() => {
    const brought = (own ?? []).filter((agent) => !data.some((other) => other.id === agent.id));
    return [
      ...data,
      ...brought.map((agent) => ({
        id: agent.id,
        name: agent.id,
        model: agent.model ?? DEFAULT_MODEL,
        own: true,
      })),
    ];
  }, [data, own]);
}

/** Names of agents, graphs and nodes by id, for the summary line of a card. */
export function useNames(): Names {
  const agents = useAgents();
  const { data: graphs = [] } = useQuery(graphsQuery());
  return useCallback<Names>(
    (widget, id) => {
      if (widget === 'agent') return agents.find((agent) => agent.id === id)?.name;
      return widget === 'graph' ? graphs.find((graph) => graph.slug === id)?.name : undefined;
    },
    [agents, graphs],
  );
}

/** The input of the next test run, with the last run of the draft that was looked at. */
function useEvaluating(graph: string): Evaluating {
  const input = useTesting((state) => state.input);
  const sample = useTesting((state) => state.sample);
  const runId = useTesting((state) => (state.graphId === graph ? state.whole : null));
  const { data: last } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null });
  const stands = last?.status ?? null;
  const inputs = useEditor((state) => state.records.settings.interface?.inputs);
  const revision = useEditor((state) => state.revision);
  const { data: samples = [] } = useQuery({ ...samplesQuery(graph), enabled: graph !== '' });
  const chosen = samples.find(({ id }) => id === sample);
  return useMemo(() => {
    const found = checked(input, inputs);
    return {
      graph,
      name: chosen ? `sample ${chosen.name}` : 'the test input',
      input: 'value' in found ? found.value : input.form,
      run: runId,
      stands,
      revision,
    };
  }, [graph, input, inputs, runId, stands, chosen, revision]);
}

/** What the fields of the inspector may offer for its subject. */
export function useFormScene(subject: Subject): FormScene {
  const agents = useAgents();
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: functions = [] } = useQuery(functionsQuery);
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const { data: models } = useQuery(modelsQuery);
  const { data: graphs = [] } = useQuery(graphsQuery());
  const records = useDeferredValue(useEditor((state) => state.records));
  const types = useEditor((state) => state.types);
  const found = useEditor((state) => state.problems);
  const untouched = useUntouched((state) => state.ids);
  const problems = useMemo(() => quieted(found, untouched, records), [found, untouched, records]);
  const readOnly = useEditor((state) => !state.can.edit);
  const own = useEditor((state) => state.head.id);
  const graph = useEditor((state) => state.graphId);
  const evaluating = useEvaluating(graph);
  const id = subject && 'id' in subject ? subject.id : '';
  return useMemo(() => {
    if (!subject) return emptyForm;
    const node = subject.kind === 'node' ? records.nodes.get(id) : undefined;
    const edge = subject.kind === 'edge' ? records.edges.get(id) : undefined;
    const names = node
      ? namesForNode(records, types, node)
      : edge
        ? namesForEdge(records, types, edge.source)
        : [];
    const mine = problems.filter((problem) =>
      node ? problem.node === id : edge ? problem.edge === id : !problem.node && !problem.edge,
    );
    return {
      agents,
      tools,
      functions,
      credentials,
      names,
      readOnly,
      models: models?.models ?? [],
      defaultModel: models?.default_model ?? '',
      graphs: graphs
        .filter((graph) => graph.slug !== own)
        .map((graph) => ({ value: graph.slug, label: graph.name, hint: graph.slug })),
      nodes: [...records.nodes.values()]
        .filter((other) => other.id !== id)
        .map((other) => ({
          value: other.id,
          label: other.label || other.id,
          hint: types.get(other.type)?.label ?? other.type,
        })),
      keys: memoryKeys(records, types),
      problems: mine,
      node: node ? id : null,
      allow: node ? (grant) => useEditor.getState().edit((now) => allowed(now, id, grant)) : null,
      at: id,
      evaluating: readOnly ? null : evaluating,
      prompting: node && types.get(node.type)?.prompts ? { graph, node: id } : null,
    };
  }, [
    subject,
    id,
    records,
    types,
    problems,
    readOnly,
    own,
    graph,
    evaluating,
    agents,
    tools,
    functions,
    credentials,
    models,
    graphs,
  ]);
}
