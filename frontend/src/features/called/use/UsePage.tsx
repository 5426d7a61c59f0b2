import { Alert, Button, Modal } from '@mantine/core';
import { IconBook2, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { graphQuery, useSession } from '../../../api/http/queries.ts';
import { samplesQuery } from '../../../api/http/samples.ts';
import { offerQuery } from '../../../api/http/workspace/called.ts';
import type { Json } from '../../../api/types/types.ts';
import { fieldsOf } from '../../../graph/fields/fields.ts';
import { plausible } from '../../../graph/fields/plausible.ts';
import type { JsonSchema } from '../../../api/types/types.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import pages from '../../../ui/page/pages.module.css';
import classes from '../called.module.css';
import { TokenForm } from '../tokens/TokenForm.tsx';
import type { Scope } from '../tokens/scopes.ts';
import { OfferForm } from './OfferForm.tsx';
import { SnippetBox } from './SnippetBox.tsx';

/** How a workflow is called from other programs: the switches, and code to copy. */
export default function UsePage() {
  const graphId = useParams()['graphId'] ?? '';
  const { data: graph } = useQuery(graphQuery(graphId));
  const { data: offer, error, refetch } = useQuery(offerQuery(graphId));
  const { data: samples } = useQuery(samplesQuery(graphId));
  const { data: session } = useSession();
  const [scopes, setScopes] = useState<Scope[] | null>(null);
  const [made, setMade] = useState(false);
  const close = () => {
    setScopes(null);
    setMade(false);
  };
  return (
    <div className={pages.page}>
      <PageHeader
        title="Use it"
        tab={graph ? `Use ${graph.name}` : 'Use it'}
        text={graph ? `How other programs call “${graph.name}”.` : null}
      >
        <Button
          component={Link}
          to="/reference"
          variant="default"
          leftSection={<IconBook2 size={16} />}
        >
          API reference
        </Button>
        <Button
          component={Link}
          to={`/workflows/${graphId}`}
          variant="default"
          leftSection={<IconPencil size={16} />}
        >
          Open the workflow
        </Button>
      </PageHeader>
      <div className={pages.body}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {!offer && !error ? <ListSkeleton rows={3} /> : null}
        {offer ? (
          <>
            {offer.published ? null : (
              <Alert color="yellow" mb="md" title="Not published yet">
                Programs call the published version. Publish the workflow, then they find it.
              </Alert>
            )}
            <div className={classes.columns}>
              <section className={classes.box} aria-label="What is offered">
                <h2>What is offered</h2>
                <OfferForm graphId={graphId} offer={offer} />
              </section>
              <SnippetBox
                called={{ graphId, offer, input: inputOf(offer.inputs, samples?.[0]?.input) }}
                onToken={setScopes}
              />
            </div>
          </>
        ) : null}
      </div>
      <Modal
        opened={scopes !== null}
        onClose={close}
        closeOnClickOutside={!made}
        closeOnEscape={!made}
        title="New token"
      >
        {scopes ? (
          <TokenForm
            begin={{ name: graph?.name ?? '', scopes, graphs: [graphId] }}
            isAdmin={session?.workspace?.role === 'admin'}
            onDone={close}
            onMade={() => setMade(true)}
          />
        ) : null}
      </Modal>
    </div>
  );
}

/** What the snippets send: a saved sample, else what each of the declared fields takes. */
function inputOf(declared: object, saved: Json | undefined): Json {
  if (saved !== undefined) return saved;
  const schema = declared as JsonSchema;
  return fieldsOf(schema).length > 0 ? plausible({ ...schema, type: 'object' }) : 'Hello';
}
