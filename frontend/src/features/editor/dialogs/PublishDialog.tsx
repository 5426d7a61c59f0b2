import { Alert, Button, Group, Modal, ScrollArea, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, ApiError, messageOf } from '../../../api/http/client.ts';
import { useSession, versionQuery } from '../../../api/http/queries.ts';
import type { GraphVersion } from '../../../api/types/types.ts';
import { useApproverNames } from '../../../ui/format/useApproverNames.ts';
import { useEditor } from '../../../store/editor.ts';
import { saveAll } from '../../../store/saving.ts';
import ui from '../../../ui/ui.module.css';
import { Coded } from '../../../ui/format/Coded.tsx';
import { Changes } from './versions/CompareVersions.tsx';
import { sayLive } from './versions/sayLive.tsx';
import { GateSetting } from './gate/GateSetting.tsx';
import { type Publication, publicationQuery, usePublicationChange } from './gate/publication.ts';
import { Approved } from './gate/Approved.tsx';
import { RequestState } from './gate/RequestState.tsx';

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** How a request ends whose changes can be asked for anew. */
const AGAIN = /^(rejected|expired|withdrawn|refused)$/;

interface PublishDialogProps {
  graphId: string;
  live: number | null;
  onClose: () => void;
  onProblems: () => void;
  onPublished: (version: GraphVersion) => void;
}

/** Make the draft a version: with a note, and only without errors. */
export function PublishDialog({
  graphId,
  live,
  onClose,
  onProblems,
  onPublished,
}: PublishDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [written, setNote] = useState<string | null>(null);
  const [unsavedRule, setUnsavedRule] = useState(false);
  const problems = useEditor((state) => state.problems);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const gate = useQuery(publicationQuery(graphId)).data;
  const approvers = useApproverNames(gate?.asks ?? []);
  const isAdmin = useSession().data?.workspace?.role === 'admin';
  const isWaiting = gate?.request?.state === 'open';
  // What was said of changes that did not go live is said of them again.
  const note = written ?? (AGAIN.test(gate?.request?.state ?? '') ? gate?.request?.note : '') ?? '';
  const isGated = (gate?.asks ?? null) !== null;
  const [waited, setWaited] = useState(false);
  if (isWaiting && !waited) setWaited(true);
  const isApproved = waited && gate?.request?.state === 'published';
  const isOver = isWaiting || isApproved;
  const approved = gate?.request?.published ?? 0;
  const isNew = approved > (live ?? 0);
  const made = useQuery({ ...versionQuery(graphId, approved), enabled: isNew }).data;
  useEffect(() => {
    if (!made || !isNew) return;
    void client.invalidateQueries({ queryKey: ['versions', graphId] });
    onPublished(made);
  }, [made, isNew, client, graphId, onPublished]);
  const ask = usePublicationChange(graphId, async () => {
    await saveAll();
    return api.post<Publication>(`graphs/${graphId}/publication/`, {
      note,
      revision: useEditor.getState().revision,
    });
  });
  const warnings = problems.filter((problem) => problem.severity === 'warning');
  const publish = useMutation({
    mutationFn: async () => {
      await saveAll();
      return api.post<GraphVersion>(`graphs/${graphId}/publish/`, {
        note,
        revision: useEditor.getState().revision,
      });
    },
    onSuccess: (version) => {
      sayLive(graphId, version.number, (path) => void navigate(path));
      void client.invalidateQueries({ queryKey: ['versions', graphId] });
      void client.invalidateQueries({ queryKey: ['graphs'] });
      onPublished(version);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.problems.length > 0)
        useEditor.setState({ problems: error.problems });
    },
  });
  const stopped = errors.length > 0 || unsavedRule || isOver || publish.isPending || ask.isPending;
  const go = () => (isGated ? ask.mutate(undefined) : publish.mutate());
  return (
    <Modal opened onClose={onClose} title="Publish" size="lg">
      <Stack
        gap="md"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !stopped) go();
        }}
      >
        {isApproved && gate?.request ? <Approved request={gate.request} /> : null}
        {isApproved ? null : errors.length > 0 ? (
          <Alert
            color="red"
            icon={<IconAlertCircle size={18} />}
            title={`${counted(errors.length, 'error')} to fix first`}
          >
            <Stack gap={2}>
              {errors.slice(0, 4).map((problem, index) => (
                <Text key={index} size="sm">
                  <Coded text={problem.say ?? problem.message} />
                </Text>
              ))}
            </Stack>
            <Button mt="sm" size="xs" variant="default" onClick={onProblems}>
              Show problems
            </Button>
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {isGated || isWaiting
              ? 'Once it is approved, runs that start from then on use this version.'
              : 'Runs that start from now on use this version.'}{' '}
            Runs under way keep theirs.
            {warnings.length > 0
              ? ` There ${warnings.length === 1 ? 'is' : 'are'} ${counted(warnings.length, 'warning')}.`
              : ''}
          </Text>
        )}
        {gate?.request && isGated ? (
          <RequestState graphId={graphId} request={gate.request} />
        ) : null}
        {isGated && !isOver ? (
          <Text size="sm">
            Somebody else has to approve it first: {approvers}. It stands in their inbox with what
            changed.
          </Text>
        ) : null}
        {live === null || isOver ? null : (
          <section aria-label={`Changes since version ${live}`}>
            <Text size="sm" fw={600} mb={4}>
              Since version {live}
            </Text>
            <ScrollArea.Autosize
              mah="min(280px, 34dvh)"
              type="auto"
              offsetScrollbars
              viewportProps={{ tabIndex: 0 }}
            >
              <Changes graphId={graphId} from={live} to="draft" />
            </ScrollArea.Autosize>
          </section>
        )}
        {isOver ? null : (
          <Textarea
            label="What changed"
            placeholder="For those who read the list of versions"
            value={note}
            minRows={3}
            data-autofocus
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        )}
        {gate && isAdmin && !isOver ? (
          <GateSetting
            key={JSON.stringify(gate.asks)}
            graphId={graphId}
            asks={gate.asks}
            onUnsaved={setUnsavedRule}
          />
        ) : null}
        {(publish.error ?? ask.error) ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(publish.error ?? ask.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs" className={ui.dialogFoot}>
          {unsavedRule ? (
            <Text size="sm" c="dimmed" role="status">
              Save the rule first: it says what becomes of this draft.
            </Text>
          ) : null}
          <Button variant="default" onClick={onClose}>
            {isOver ? 'Close' : 'Cancel'}
          </Button>
          {isOver ? null : (
            <Button
              disabled={errors.length > 0 || unsavedRule}
              loading={publish.isPending || ask.isPending}
              onClick={go}
            >
              {isGated ? 'Ask for approval' : 'Publish'}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
