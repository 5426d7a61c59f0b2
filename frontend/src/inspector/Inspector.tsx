import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowRight, IconPlayerPlay, IconSettings, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { withRecords } from '../graph/document/diff.ts';
import { END, START } from '../graph/document/document.ts';
import { useEditor } from '../store/editor.ts';
import { sameNode } from '../store/merging/identity.ts';
import { NamedIcon } from '../ui/icons/NamedIcon.tsx';
import { retitle } from './cures/titling.ts';
import { GraphPanel } from './GraphPanel.tsx';
import { focusGraph } from '../ui/keys/focusGraph.ts';
import { useForm } from './form/context.ts';
import classes from './inspector.module.css';
import { NodeInspector } from './NodeInspector.tsx';
import type { Subject } from './subject.ts';
import { StartPanel } from './tables/StartPanel.tsx';
import { EdgeInspector } from './wires/EdgeInspector.tsx';

interface HeadProps {
  icon: ReactNode;
  children: ReactNode;
  kind: ReactNode;
  onClose: () => void;
}

function Head({ icon, children, kind, onClose }: HeadProps) {
  return (
    <header className={classes.head}>
      {icon}
      <div className={classes.headWords}>
        {children}
        <div className={classes.kind}>{kind}</div>
      </div>
      <Tooltip label="Close">
        <ActionIcon aria-label="Close the inspector" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}

function NodeHead({ id, tint, onClose }: { id: string; tint: string; onClose: () => void }) {
  const node = useEditor((state) => state.records.nodes.get(id));
  const type = useEditor((state) => (node ? state.types.get(node.type) : undefined));
  const { readOnly } = useForm();
  const before = useRef<string | null>(null);
  if (!node) return null;
  const rename = (label: string) =>
    useEditor
      .getState()
      .edit((records) => withRecords(records, [{ kind: 'node', id, value: { ...node, label } }]));
  const icon = (
    <span className={classes.chip} style={{ '--tint': tint } as React.CSSProperties}>
      <NamedIcon name={type?.icon ?? 'question-mark'} size={18} />
    </span>
  );
  return (
    <Head icon={icon} kind={type?.label ?? node.type} onClose={onClose}>
      <input
        data-field="label"
        className={classes.title}
        aria-label="Label of the node"
        value={node.label ?? ''}
        placeholder={node.id}
        disabled={readOnly}
        onFocus={() => (before.current = node.label ?? '')}
        onBlur={(event) => {
          event.stopPropagation(); // the step ends once the id has followed
          void retitle(id, before.current ?? node.label ?? '');
        }}
        onChange={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.currentTarget.blur();
          focusGraph();
        }}
      />
    </Head>
  );
}

const endLabel = (id: string) =>
  id === START
    ? 'Start'
    : id === END
      ? 'End'
      : (useEditor.getState().records.nodes.get(id)?.label ?? id);

interface InspectorProps {
  subject: Exclude<Subject, null>;
  tint: string;
  /** Tools for several selected nodes. */
  many: ReactNode;
  /** What stands below the settings of a node. */
  below?: ReactNode;
  onClose: () => void;
}

/** The panel on the right. Changes apply as you type; leaving a field ends the undo step. */
export function Inspector({ subject, tint, many, below, onClose }: InspectorProps) {
  const node = useEditor((state) =>
    subject.kind === 'node' ? state.records.nodes.get(subject.id) : undefined,
  );
  const edge = useEditor((state) =>
    subject.kind === 'edge' ? state.records.edges.get(subject.id) : undefined,
  );
  const type = useEditor((state) => (node ? state.types.get(node.type) : undefined));
  const settings = useEditor((state) => state.records.settings);
  const chip = (icon: ReactNode, tone: string) => (
    <span className={classes.chip} style={{ '--tint': tone } as React.CSSProperties}>
      {icon}
    </span>
  );
  return (
    <div onBlur={() => useEditor.getState().commit('Edit')} style={{ display: 'contents' }}>
      {subject.kind === 'node' ? (
        <NodeHead key={sameNode(subject.id)} id={subject.id} tint={tint} onClose={onClose} />
      ) : null}
      {subject.kind === 'edge' && edge ? (
        <Head icon={null} kind="Wire" onClose={onClose}>
          <div className={classes.ends}>
            <span className="gw-truncate">{endLabel(edge.source)}</span>
            <IconArrowRight size={14} aria-label="to" />
            <span className="gw-truncate">{endLabel(edge.target)}</span>
          </div>
        </Head>
      ) : null}
      {subject.kind === 'many' ? (
        <Head icon={null} kind="Selection" onClose={onClose}>
          <strong>{subject.count} selected</strong>
        </Head>
      ) : null}
      {subject.kind === 'graph' ? (
        <Head
          icon={chip(<IconSettings size={18} stroke={1.8} />, 'var(--gw-grey)')}
          kind="The whole workflow"
          onClose={onClose}
        >
          <strong>Workflow settings</strong>
        </Head>
      ) : null}
      {subject.kind === 'start' ? (
        <Head
          icon={chip(<IconPlayerPlay size={18} stroke={1.8} />, 'var(--gw-accent)')}
          kind="What a run begins with"
          onClose={onClose}
        >
          <strong>Start</strong>
        </Head>
      ) : null}
      <div
        key={`body of ${'id' in subject ? sameNode(subject.id) : subject.kind}`}
        className={classes.body}
      >
        {subject.kind === 'start' ? <StartPanel /> : null}
        {node ? <NodeInspector key={sameNode(node.id)} node={node} type={type} /> : null}
        {node ? below : null}
        {edge ? <EdgeInspector key={edge.id} edge={edge} /> : null}
        {subject.kind === 'many' ? many : null}
        {subject.kind === 'graph' ? <GraphPanel settings={settings} /> : null}
      </div>
    </div>
  );
}
