import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  type InternalNode,
  Position,
  useInternalNode,
  useStore,
} from '@xyflow/react';
import { IconPlus } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { pathOf, pointsOf } from '../../graph/layout/lanes/lane.ts';
import { type Box, facing } from '../../graph/layout/geometry.ts';
import { NODE_HEIGHT, NODE_WIDTH } from '../../graph/layout/layout.ts';
import type { ReferenceEdge, WireEdge } from '../../store/flow.ts';
import classes from '../canvas.module.css';
import { useScene } from './context.ts';
import { OnlyOne } from './OnlyOne.tsx';
import { useLane } from './lanes/useLanes.ts';

interface LabelProps {
  x: number;
  y: number;
  text: string;
  hint: string;
  active: boolean;
  onInsert: (() => void) | undefined;
  onHover: (over: boolean) => void;
}

function WireLabel({ x, y, text, hint, active, onInsert, onHover }: LabelProps) {
  return (
    <EdgeLabelRenderer>
      <div
        className={`${classes.wireLabel} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        onMouseEnter={() => onHover(true)}
        onMouseLeave={() => onHover(false)}
      >
        {text ? (
          <span className={classes.wireText} data-active={active} title={hint}>
            {text}
          </span>
        ) : null}
        {onInsert ? (
          <button
            type="button"
            className={classes.insert}
            aria-label="Insert a node here"
            onClick={onInsert}
          >
            <IconPlus size={14} stroke={2.2} />
          </button>
        ) : null}
      </div>
    </EdgeLabelRenderer>
  );
}

function toneOf(on: string | null | undefined): string | undefined {
  if (on === 'failed') return 'red';
  return on === 'rejected' || on === 'timed_out' ? 'amber' : undefined;
}

/** An edge of the graph: smooth step, words in a pill, and a `+` under the pointer that inserts a node. */
export const Wire = memo(function Wire(props: EdgeProps<WireEdge>) {
  const { id, source, target, data, selected } = props;
  const scene = useScene();
  const [hover, setHover] = useState(false);
  const legible = useStore((state) => state.transform[2] > 0.45);
  const from = { x: props.sourceX, y: props.sourceY };
  const to = { x: props.targetX, y: props.targetY };
  const lane = useLane(id, from, to);
  const path = pathOf(pointsOf(from, to, lane));
  const [x, y] = [(lane.out + lane.into) / 2, lane.y];
  const view = scene.edgeView({ id, index: data?.index ?? -1, source, target });
  const doc = data?.doc;
  const insert =
    scene.mode === 'edit' && hover && scene.onInsert
      ? () => scene.onInsert?.(id, { x, y })
      : undefined;
  const open = scene.openWays.edges.has(id);
  const text = legible ? (data?.text ?? '') : '';
  const idle = legible && scene.mode === 'edit' && data?.idle;
  return (
    <>
      <g onMouseEnter={() => setHover(true)} onMouseLeave={() => setHover(false)}>
        <BaseEdge
          id={id}
          path={path}
          interactionWidth={22}
          className={classes.wire}
          data-selected={selected}
          data-tone={toneOf(doc?.on)}
          data-agent={doc?.trigger === 'agent'}
          data-taken={view?.taken}
          data-active={view?.active}
          data-dim={view && !view.taken}
          data-splice={scene.spliceInto === id}
          data-open={open}
          markerEnd={`url(#gw-arrow${open ? '-open' : selected ? '-on' : ''})`}
        />
      </g>
      {text || insert ? (
        <WireLabel
          x={x}
          y={y}
          text={view?.count && view.count > 1 ? `${text} ×${view.count}` : text}
          hint={doc?.condition ?? data?.text ?? ''}
          active={selected ?? false}
          onInsert={insert}
          onHover={setHover}
        />
      ) : null}
      {idle ? <OnlyOne wire={id} source={source} /> : null}
    </>
  );
});

const sides = {
  left: Position.Left,
  right: Position.Right,
  top: Position.Top,
  bottom: Position.Bottom,
};

function boxOf(node: InternalNode | undefined, x: number, y: number): Box {
  return node
    ? {
        ...node.internals.positionAbsolute,
        width: node.measured.width ?? NODE_WIDTH,
        height: node.measured.height ?? NODE_HEIGHT,
      }
    : { x, y, width: 0, height: 0 };
}

/** A dotted line to a node that another one names in its config (a worker, a peer): no token moves along it. It joins the sides that face each other. */
export const Reference = memo(function Reference(props: EdgeProps<ReferenceEdge>) {
  const { source, target, sourceX, sourceY, targetX, targetY } = props;
  const { nodes } = useScene().openWays;
  const [from, to] = facing(
    boxOf(useInternalNode(source), sourceX, sourceY),
    boxOf(useInternalNode(target), targetX, targetY),
  );
  const [path] = getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    sourcePosition: sides[from.side],
    targetX: to.x,
    targetY: to.y,
    targetPosition: sides[to.side],
  });
  return (
    <BaseEdge
      path={path}
      interactionWidth={0}
      className={classes.reference}
      data-open={nodes.has(source) && nodes.has(target)}
    />
  );
});

/** The arrow heads that wires end in. */
export function ArrowHeads() {
  const head = (id: string, fill: string) => (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="6.5"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto-start-reverse"
    >
      <path d="M0.5 0.5 L7 4 L0.5 7.5 Z" fill={fill} />
    </marker>
  );
  return (
    <svg className={classes.defs} aria-hidden>
      <defs>
        {head('gw-arrow', 'var(--gw-wire)')}
        {head('gw-arrow-on', 'var(--gw-accent)')}
        {head('gw-arrow-open', 'var(--gw-red)')}
      </defs>
    </svg>
  );
}
