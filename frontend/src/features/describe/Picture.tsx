import { Skeleton } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { useNodeTypes } from '../../api/http/queries.ts';
import { emptyRecords, toDocument } from '../../graph/document/document.ts';
import type { Part } from '../../graph/proposal/parts.ts';
import { withParts } from '../../graph/proposal/taking.ts';
import classes from './describe.module.css';
import { lazyOnDemand } from '../../ui/page/lazy/lazy.ts';

const GraphCanvas = lazyOnDemand(async () => ({
  default: (await import('../../canvas/GraphCanvas.tsx')).GraphCanvas,
}));

/** What the ticked parts of a new workflow look like together. */
export function Picture({ parts }: { parts: readonly Part[] }) {
  const types = useNodeTypes().data;
  const drawn = useMemo(() => toDocument(withParts(emptyRecords, parts), { id: 'draft' }), [parts]);
  const shape = drawn.nodes.map(({ id }) => id).join();
  return (
    <div className={classes.picture}>
      <Suspense fallback={<Skeleton height="100%" />}>
        {types ? (
          <GraphCanvas key={shape} document={drawn} nodeTypes={types} mode="run" miniMap={false} />
        ) : null}
      </Suspense>
    </div>
  );
}
