import { Handle, type NodeProps, Position, useStore } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import type { Danger, Problem } from '../../api/types/types.ts';
import type { Port } from '../../graph/schema/ports.ts';
import { heightOf, placesOf, portY } from '../../graph/layout/geometry.ts';
import { problemWords, worstOf } from '../../graph/schema/severity.ts';
import { summaryOf } from '../../graph/schema/summary.ts';
import { type CardNode, elementId, REFERENCE } from '../../store/flow.ts';
import { NamedIcon } from '../../ui/icons/NamedIcon.tsx';
import { StatusIcon } from '../../ui/StatusBadge.tsx';
import { statusLook } from '../../ui/status.ts';
import classes from '../canvas.module.css';
import {
  type NodeRunView,
  type Onlooker,
  tintColor,
  type TrialMarks,
  useMiddle,
  useScene,
} from './context.ts';
import { NodeBadges } from './NodeBadges.tsx';
import { NodeRun } from './NodeRun.tsx';
import { useMeasuredPorts } from './lanes/useMeasuredPorts.ts';

/** Below this zoom a card is its name in large letters. */
const FAR = 0.4;

interface PortsProps {
  ports: readonly Port[];
  editable: boolean;
}

function PortRows({ ports, editable }: PortsProps) {
  return ports.map((port) => (
    <div
      key={port.id}
      className={classes.port}
      data-quiet={port.quiet ?? false}
      title={port.hint ?? port.label}
    >
      <span className="gw-truncate">{port.label}</span>
      <Handle
        type="source"
        id={port.id}
        position={Position.Right}
        className={classes.handle}
        data-kind={port.kind}
        isConnectable={editable}
        title={port.label}
      />
    </div>
  ));
}

function Ports({ ports, editable }: PortsProps) {
  useMeasuredPorts(ports);
  const [rows, below] = placesOf(ports);
  const [only] = rows;
  return (
    <>
      {rows.length === 1 && only ? (
        <Handle
          type="source"
          id={only.id}
          position={Position.Right}
          className={classes.handle}
          style={{ top: 30 }}
          data-kind={only.kind}
          isConnectable={editable}
          title={only.label}
        />
      ) : (
        <div className={classes.ports}>
          <PortRows ports={rows} editable={editable} />
        </div>
      )}
      {editable && below.length > 0 ? (
        <div className={classes.tucked}>
          <PortRows ports={below} editable />
        </div>
      ) : null}
    </>
  );
}

interface CardProps {
  data: CardNode['data'];
  selected: boolean;
  view: NodeRunView | undefined;
  summary: string;
  tint: string;
  problems: Problem[] | undefined;
  danger: Danger | undefined;
  /** It lies on an unguarded way that is drawn now. */
  open: boolean;
  onlookers: Onlooker[] | undefined;
  marks: TrialMarks | undefined;
  remedy: ReactNode;
  editable: boolean;
  /** It is seen from so far that only large words can be read. */
  middle: boolean;
}

function describe({
  data: { doc, type },
  view,
  problems,
  danger,
  marks,
  onlookers,
}: CardProps): string {
  const parts = [doc.label || doc.id, type?.label ?? doc.type];
  if (view) parts.push(statusLook(view.status).label);
  if (doc.disabled) parts.push('disabled');
  if (marks?.pinned) parts.push('pinned');
  if (marks?.breakpoint) parts.push('test runs stop before it');
  if (marks?.stale) parts.push(marks.stale.words.toLowerCase());
  if (marks?.talk) parts.push(marks.talk.words);
  if (danger) parts.push(danger.way ? 'dangerous, without a guard' : 'dangerous, guarded');
  if (onlookers?.length) parts.push(`${onlookers.map(({ name }) => name).join(', ')} is here`);
  return [...parts, ...problemWords(problems)].join(', ');
}

const outlineOf = ({ color }: Onlooker, width: number): React.CSSProperties => ({
  outline: `${width}px solid ${color}`,
  outlineOffset: width,
});

/** Whose hands are on the card; at every zoom in a size that can be read. */
function Onlookers({ people }: { people: Onlooker[] | undefined }) {
  const scale = useStore((state) => Math.max(1, 0.8 / state.transform[2]));
  const [first] = people ?? [];
  if (!people || !first) return null;
  return (
    <span
      className={classes.onlooker}
      style={{ background: first.color, transform: `scale(${scale})` }}
    >
      {people.map((person) => person.name).join(', ')}
    </span>
  );
}

/** The card of any node type. */
const Card = memo(function Card(props: CardProps) {
  const { data, selected, view, summary, tint, problems, danger, open, onlookers, editable } =
    props;
  const { marks, remedy, middle } = props;
  const { doc, type, ports } = data;
  const color = view ? statusLook(view.status).color : undefined;
  return (
    <div
      id={elementId(doc.id)}
      role="group"
      className={classes.card}
      data-selected={selected}
      data-disabled={doc.disabled ?? false}
      data-open={open}
      data-status={color}
      data-middle={middle}
      aria-label={describe(props)}
      style={onlookers?.[0] ? outlineOf(onlookers[0], 2) : undefined}
    >
      <Onlookers people={onlookers} />
      <Handle
        type="target"
        id="in"
        position={Position.Left}
        className={classes.handle}
        style={{ top: 30 }}
        isConnectable={editable}
      />
      <div className={classes.head}>
        <span className={classes.chip} style={{ '--tint': tint } as React.CSSProperties}>
          <NamedIcon name={type?.icon ?? 'question-mark'} size={18} />
        </span>
        <div className={classes.words}>
          <div dir="auto" className={middle ? classes.large : `${classes.label} gw-truncate`}>
            {doc.label || doc.id}
          </div>
          {middle ? null : (
            <div className={`${classes.summary} gw-truncate`}>
              {summary || type?.label || doc.type}
            </div>
          )}
        </div>
        {view ? <StatusIcon status={view.status} size={16} /> : null}
      </div>
      <Ports ports={ports} editable={editable} />
      {view ? <NodeRun view={view} /> : null}
      {remedy ? <div className={classes.remedy}>{remedy}</div> : null}
      <NodeBadges
        doc={doc}
        danger={danger}
        problems={problems}
        view={view}
        drawing={editable}
        marks={marks}
      />
      <Handle
        type="source"
        id={REFERENCE}
        position={Position.Bottom}
        className={classes.hiddenHandle}
        isConnectable={false}
      />
    </div>
  );
});

/** A card from afar: colour, name and handles, nothing that cannot be read at this zoom. */
const FarCard = memo(function FarCard(props: CardProps & { height: number }) {
  const { data, selected, view, tint, open, height, onlookers, problems } = props;
  const { doc, ports } = data;
  const worst = worstOf(problems);
  return (
    <div
      id={elementId(doc.id)}
      role="group"
      aria-label={describe(props)}
      className={classes.far}
      data-selected={selected}
      data-disabled={doc.disabled ?? false}
      data-open={open}
      data-status={view ? statusLook(view.status).color : undefined}
      style={
        {
          '--tint': tint,
          height,
          ...(onlookers?.[0] ? outlineOf(onlookers[0], 6) : {}),
        } as React.CSSProperties
      }
    >
      <Onlookers people={onlookers} />
      <Handle
        type="target"
        id="in"
        position={Position.Left}
        className={classes.hiddenHandle}
        style={{ top: 30 }}
      />
      <span dir="auto" className="gw-truncate">
        {doc.label || doc.id}
      </span>
      {worst ? <span className={classes.farMark} data-severity={worst} /> : null}
      {ports.map((port) => (
        <Handle
          key={port.id}
          type="source"
          id={port.id}
          position={Position.Right}
          className={classes.hiddenHandle}
          style={{ top: portY(ports, port.id) - 1 }}
        />
      ))}
      <Handle
        type="source"
        id={REFERENCE}
        position={Position.Bottom}
        className={classes.hiddenHandle}
        isConnectable={false}
      />
    </div>
  );
});

/** Draws a node of any type, in the editor and on the run page. */
export const GraphNode = memo(function GraphNode({
  id,
  data,
  selected,
  height,
}: NodeProps<CardNode>) {
  const scene = useScene();
  const far = useStore((state) => state.transform[2] < FAR);
  const middle = useMiddle();
  const props: CardProps = {
    data,
    selected: selected ?? false,
    view: scene.nodeView(id),
    summary: summaryOf(data.type, data.doc, scene.names),
    tint: tintColor(data.type ? scene.tints.get(data.type.category) : undefined),
    problems: scene.problems.get(id),
    danger: scene.dangers.get(id),
    open: scene.openWays.nodes.has(id),
    onlookers: scene.onlookers.get(id),
    marks: scene.marks.get(id),
    remedy: scene.remedy?.(id) ?? null,
    editable: scene.mode === 'edit',
    middle,
  };
  // never lower than its ports: wires end at them though they are not drawn
  const tall = Math.max(height ?? 0, heightOf(data.ports));
  return far ? <FarCard {...props} height={tall} /> : <Card {...props} />;
});
