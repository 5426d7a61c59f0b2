import { Button, Group, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useId, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { api, messageOf } from '../../api/http/client.ts';
import type {
  GraphDetail,
  GraphTemplate,
  NodeTypeInfo,
  RunStart,
  RunSummary,
} from '../../api/types/types.ts';
import classes from './gallery.module.css';
import { ImportProblems } from './ImportProblems.tsx';
import { NeedHint, NeedLabel } from './NeedLabel.tsx';
import { useNewGraph } from './useNewGraph.ts';
import { ValueView } from '../../liverun/ValueView.tsx';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const GraphCanvas = lazyOnDemand(async () => ({
  default: (await import('../../canvas/GraphCanvas.tsx')).GraphCanvas,
}));

interface PreviewProps {
  template: GraphTemplate;
  nodeTypes: readonly NodeTypeInfo[];
  onBack: () => void;
}

/** Make a graph from a template and start its draft on the template's first example. */
function useSampleRun(template: GraphTemplate) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const graph = await api.post<GraphDetail>('graphs/', { template: template.id });
      void client.invalidateQueries({ queryKey: ['graphs'] });
      const body: RunStart = { draft: true, input: template.examples[0] ?? null };
      try {
        const run = await api.post<RunSummary>(`graphs/${graph.id}/runs/`, body, {
          headers: { 'Idempotency-Key': crypto.randomUUID() },
        });
        return `/runs/${run.id}`;
      } catch (error) {
        notifications.show({
          color: 'red',
          title: 'The workflow was made, but its run did not start',
          message: messageOf(error),
        });
        return `/workflows/${graph.id}`;
      }
    },
    onSuccess: (place) => void navigate(place),
  });
}

/** One template in full: its graph as the editor will show it, what it needs, and what to try it on. */
export function TemplatePreview({ template, nodeTypes, onBack }: PreviewProps) {
  const create = useNewGraph();
  const sample = useSampleRun(template);
  const title = useId();
  const drawn = useMemo(() => ({ ...template.document, notes: [] }), [template]);
  const hints = (template.document.notes ?? []).map((note) => note.text);
  const busy = create.isPending || sample.isPending;
  return (
    <section
      className={classes.preview}
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onBack();
      }}
    >
      <div className={classes.stage}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <GraphCanvas document={drawn} nodeTypes={nodeTypes} mode="run" miniMap={false} />
        </Suspense>
      </div>
      <div className={classes.facts}>
        <div className={classes.pattern}>{template.pattern}</div>
        <h2 id={title} className={classes.previewTitle}>
          {template.name}
        </h2>
        <p className={classes.about}>{template.description}</p>
        <NeedLabel need={template.needs} />
        <NeedHint need={template.needs} />
        {template.brings.length > 0 ? (
          <p className={classes.about}>Brings along: {template.brings.join(', ')}.</p>
        ) : null}
        {hints.map((hint) => (
          <p key={hint} className={classes.hint}>
            {hint}
          </p>
        ))}
        <h3 className={classes.small}>Sample</h3>
        <div className={classes.sample}>
          <ValueView value={template.examples[0] ?? null} />
        </div>
        <ImportProblems error={create.error ?? sample.error} />
      </div>
      <Group justify="space-between" className={classes.foot}>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconArrowLeft size={16} />}
          onClick={onBack}
        >
          All templates
        </Button>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={sample.isPending}
            disabled={busy}
            onClick={() => sample.mutate()}
          >
            Run the sample
          </Button>
          <Button
            data-autofocus
            autoFocus
            loading={create.isPending}
            disabled={busy}
            onClick={() => create.mutate({ template: template.id })}
          >
            Use this
          </Button>
        </Group>
      </Group>
    </section>
  );
}
