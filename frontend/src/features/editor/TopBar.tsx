import { ActionIcon, Avatar, Button, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowLeft,
  IconApi,
  IconBolt,
  IconCheck,
  IconBulb,
  IconCircleCheck,
  IconCloudOff,
  IconDots,
  IconDownload,
  IconFileImport,
  IconForms,
  IconHistory,
  IconMessageCircle,
  IconPlayerPlay,
  IconRefresh,
  IconSettings,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { PresencePerson } from '../../api/live/realtime.ts';
import type { GraphDetail, GraphSummary, Problem } from '../../api/types/types.ts';
import { asksForFields } from '../../graph/fields/asksForFields.ts';
import { useEditor } from '../../store/editor.ts';
import { saveNow } from '../../store/saving.ts';
import { Kbd } from '../../ui/keys/Kbd.tsx';
import { countsOf } from './proof/problemCount.ts';
import classes from './editor.module.css';
import { useCauses } from './proof/byCause.ts';
import { About } from './header/About.tsx';
import { LiveBadge } from './header/LiveBadge.tsx';
import { colorOf } from './header/usePresence.ts';
import { WorstCaseChip } from './proof/WorstCase.tsx';

/** Whether the draft is safe on the server, in a word. */
function SaveState() {
  const save = useEditor((state) => state.save);
  const error = useEditor((state) => state.saveError);
  if (save === 'offline') {
    return (
      <Tooltip
        label={`${error} Your changes are kept in this browser and sent as soon as it can be reached.`}
        multiline
        maw={280}
      >
        <UnstyledButton
          className={classes.saveState}
          data-tone="amber"
          onClick={() => void saveNow()}
        >
          <IconCloudOff size={15} />
          Offline, will retry
        </UnstyledButton>
      </Tooltip>
    );
  }
  if (save === 'failed') {
    return (
      <Tooltip label={error} multiline maw={320}>
        <UnstyledButton
          className={classes.saveState}
          data-tone="red"
          onClick={() => void saveNow()}
        >
          <IconRefresh size={15} />
          Not saved, try again
        </UnstyledButton>
      </Tooltip>
    );
  }
  if (save === 'conflict')
    return (
      <span className={classes.saveState} data-tone="red">
        Waits for your choice
      </span>
    );
  return (
    <span className={classes.saveState} role="status">
      {save === 'saved' ? (
        <>
          <IconCheck size={15} aria-hidden />
          Saved
        </>
      ) : (
        'Saving…'
      )}
    </span>
  );
}

function People({ people, me }: { people: readonly PresencePerson[]; me: string }) {
  if (people.length === 0) return null;
  const wordsOf = ({ id, name }: PresencePerson['user']) =>
    id === me ? 'You, in another tab' : `${name} is here`;
  return (
    <Avatar.Group spacing={6} role="group" aria-label="Also here">
      {people.slice(0, 4).map(({ client, user }) => (
        <Tooltip key={client} label={wordsOf(user)}>
          <Avatar
            size={26}
            radius="xl"
            role="img"
            aria-label={wordsOf(user)}
            style={{ '--avatar-bg': colorOf(user.id), '--avatar-color': '#fff' }}
          >
            {user.name.slice(0, 1).toUpperCase()}
          </Avatar>
        </Tooltip>
      ))}
      {people.length > 4 ? (
        <Avatar size={26} radius="xl">
          +{people.length - 4}
        </Avatar>
      ) : null}
    </Avatar.Group>
  );
}

function ProblemCount({
  problems,
  open,
  onClick,
}: {
  problems: readonly Problem[];
  open: boolean;
  onClick: () => void;
}) {
  const { errors, warnings, hints, label } = countsOf(problems);
  return (
    // with it Escape would only put these words away, not what they opened
    <Tooltip label={label} disabled={open}>
      <UnstyledButton
        className={classes.problemCount}
        onClick={onClick}
        aria-expanded={open}
        aria-label={errors + warnings > 0 ? `Problems: ${label}` : label}
        data-open={open}
      >
        <span data-word>Problems</span>{' '}
        {errors > 0 ? (
          <span data-tone="red">
            <IconAlertCircle size={16} />
            {errors}
          </span>
        ) : null}
        {warnings > 0 ? (
          <span data-tone="amber">
            <IconAlertTriangle size={16} />
            {warnings}
          </span>
        ) : null}
        {errors + warnings === 0 && hints === 0 ? (
          <span data-tone="green">
            <IconCircleCheck size={16} />
          </span>
        ) : null}
        {errors + warnings === 0 && hints > 0 ? (
          <span data-tone="grey">
            <IconBulb size={16} />
            {hints}
          </span>
        ) : null}
      </UnstyledButton>
    </Tooltip>
  );
}

/** The way to the live version that suits what it starts with: a form for fields, else a chat. */
function Use({ graphId, version }: { graphId: string; version: number }) {
  const asks = useEditor((state) => asksForFields(state.records.settings.interface?.inputs));
  return (
    <Tooltip label={asks ? `The form of version ${version}` : `Chat with version ${version}`}>
      <ActionIcon
        component={Link}
        to={`/workflows/${graphId}/${asks ? 'form' : 'chat'}`}
        aria-label={asks ? 'Form' : 'Chat'}
      >
        {asks ? <IconForms size={18} stroke={1.7} /> : <IconMessageCircle size={18} stroke={1.7} />}
        <span data-word>{asks ? 'Form' : 'Chat'}</span>
      </ActionIcon>
    </Tooltip>
  );
}

interface TopBarProps {
  graph: GraphSummary & Pick<GraphDetail, 'publication'>;
  people: readonly PresencePerson[];
  /** The id of the person who looks. */
  me: string;
  problemsOpen: boolean;
  onProblems: () => void;
  onWorstCase: () => void;
  onSettings: () => void;
  onVersions: () => void;
  onTestRun: () => void;
  onPublish: () => void;
  onExport: (format: 'yaml' | 'json') => void;
  onImport: () => void;
}

/** The bar above the canvas: what this is, whether it is saved and sound, and what to do with it. */
export function TopBar(props: TopBarProps) {
  const {
    graph,
    people,
    me,
    problemsOpen,
    onProblems,
    onWorstCase,
    onSettings,
    onVersions,
    onTestRun,
    onPublish,
    onExport,
    onImport,
  } = props;
  const problems = useCauses();
  const can = useEditor((state) => state.can);
  const [changes, setChanges] = useState<number | null>(null);
  return (
    <header className={classes.bar} data-region="bar">
      <ActionIcon component={Link} to="/workflows" aria-label="Back to workflows">
        <IconArrowLeft size={18} stroke={1.7} />
      </ActionIcon>
      <About graphId={graph.id} start={graph} readOnly={!can.edit} />
      <LiveBadge
        graphId={graph.id}
        version={graph.published?.number ?? null}
        asked={graph.publication}
        onShow={onPublish}
        onChanges={setChanges}
      />
      {can.edit ? <SaveState /> : <span className={classes.saveState}>Read only</span>}
      <span className={classes.gap} />
      <People people={people} me={me} />
      <WorstCaseChip onJump={onWorstCase} />
      <ProblemCount problems={problems} open={problemsOpen} onClick={onProblems} />
      <Tooltip label="Workflow settings">
        <ActionIcon aria-label="Workflow settings" onClick={onSettings}>
          <IconSettings size={18} stroke={1.7} />
          <span data-word>Settings</span>
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Versions">
        <ActionIcon aria-label="Versions" onClick={onVersions}>
          <IconHistory size={18} stroke={1.7} />
          <span data-word>Versions</span>
        </ActionIcon>
      </Tooltip>
      {graph.published ? <Use graphId={graph.id} version={graph.published.number} /> : null}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label="More" className={classes.more}>
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {graph.published ? (
            <Menu.Item
              leftSection={<IconForms size={16} />}
              component={Link}
              to={`/workflows/${graph.id}/form`}
            >
              Use as a form
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={<IconBolt size={16} />}
            component={Link}
            to={`/workflows/${graph.id}/triggers`}
          >
            Triggers
          </Menu.Item>
          <Menu.Item
            leftSection={<IconApi size={16} />}
            component={Link}
            to={`/workflows/${graph.id}/use`}
          >
            Use it from a program
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => onExport('yaml')}>
            Export as YAML
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => onExport('json')}>
            Export as JSON
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFileImport size={16} />}
            disabled={!can.edit}
            onClick={onImport}
          >
            Import into draft
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={<Kbd keys="Mod+Enter" />}>
        <Button
          className={classes.deed}
          variant="default"
          size="xs"
          leftSection={<IconPlayerPlay size={15} />}
          disabled={!can.run}
          onClick={onTestRun}
        >
          Test run
        </Button>
      </Tooltip>
      <Button
        className={classes.deed}
        size="xs"
        variant={changes === 0 ? 'default' : 'filled'}
        disabled={!can.edit}
        onClick={onPublish}
      >
        Publish
      </Button>
    </header>
  );
}
