import classes from './special.module.css';

export interface Series {
  name: string;
  tone: 'accent' | 'quiet';
  values: readonly (number | null)[];
}

interface LineChartProps {
  label: string;
  series: readonly Series[];
  threshold: number | null;
  xTitle: string;
  /** The names of the places, from left to right. */
  marks: readonly string[];
  /** What each place says under the pointer. */
  hints: readonly string[];
  picked: number;
  onPick: (place: number) => void;
}

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 34;

/** A round number at or above a size, in steps that divide by two. */
export function roundUp(most: number): number {
  if (most <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return (
    [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]
      .map((step) => step * unit)
      .find((each) => each >= most - unit * 1e-9) ?? most
  );
}

const short = (value: number) => String(Math.round(value * 1000) / 1000);

/** A small line chart from zero; places can be picked, exact values stand under the pointer. */
export function LineChart({
  label,
  series,
  threshold,
  xTitle,
  marks,
  hints,
  picked,
  onPick,
}: LineChartProps) {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null));
  const reach = Math.max(...values, 0);
  const near = threshold !== null && threshold <= Math.max(reach, 0.5) * 2 ? threshold : null;
  const top = roundUp(Math.max(reach, near ?? 0));
  const bottom = Math.min(...values, 0);
  const count = marks.length;
  const x = (place: number) =>
    count < 2
      ? LEFT + (WIDTH - LEFT - RIGHT) / 2
      : LEFT + 8 + (place / (count - 1)) * (WIDTH - LEFT - RIGHT - 16);
  const y = (value: number) =>
    TOP + ((top - value) / (top - bottom || 1)) * (HEIGHT - TOP - BOTTOM);
  const every = Math.ceil(count / 8);
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.legend}>
        {series.map((each) => (
          <span key={each.name}>
            <i data-tone-of={each.tone} />
            {each.name}
          </span>
        ))}
        {near === null ? null : (
          <span>
            <i data-tone-of="threshold" />
            good enough: {short(near)}
          </span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[top, (top + bottom) / 2, bottom].map((value) => (
          <g key={value}>
            <line
              className={classes.grid}
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={y(value)}
              y2={y(value)}
            />
            <text className={classes.axis} x={LEFT - 6} y={y(value) + 3.5} textAnchor="end">
              {short(value)}
            </text>
          </g>
        ))}
        {near === null ? null : (
          <line
            className={classes.threshold}
            x1={LEFT}
            x2={WIDTH - RIGHT}
            y1={y(near)}
            y2={y(near)}
          />
        )}
        <line
          className={classes.cursor}
          x1={x(picked)}
          x2={x(picked)}
          y1={TOP}
          y2={HEIGHT - BOTTOM}
        />
        {series.toReversed().map((each) => (
          <Line key={each.name} series={each} x={x} y={y} />
        ))}
        {marks.map((mark, place) =>
          place % every === 0 ? (
            <text
              key={mark}
              className={classes.axis}
              x={x(place)}
              y={HEIGHT - BOTTOM + 14}
              textAnchor="middle"
            >
              {mark}
            </text>
          ) : null,
        )}
        <text
          className={classes.axis}
          x={(LEFT + WIDTH - RIGHT) / 2}
          y={HEIGHT - 4}
          textAnchor="middle"
        >
          {xTitle}
        </text>
        {hints.map((hint, place) => (
          <rect
            key={place}
            className={classes.hit}
            x={x(place) - (WIDTH - LEFT - RIGHT) / count / 2}
            y={TOP}
            width={(WIDTH - LEFT - RIGHT) / count}
            height={HEIGHT - TOP - BOTTOM}
            onClick={() => onPick(place)}
          >
            <title>{hint}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}

function Line({
  series,
  x,
  y,
}: {
  series: Series;
  x: (place: number) => number;
  y: (value: number) => number;
}) {
  const points = series.values.flatMap((value, place) =>
    value === null ? [] : [{ place, value }],
  );
  return (
    <g className={classes.line} data-tone-of={series.tone}>
      <polyline points={points.map((point) => `${x(point.place)},${y(point.value)}`).join(' ')} />
      {points.map((point) => (
        <circle
          key={point.place}
          cx={x(point.place)}
          cy={y(point.value)}
          r={series.tone === 'accent' ? 3 : 2}
        />
      ))}
    </g>
  );
}
