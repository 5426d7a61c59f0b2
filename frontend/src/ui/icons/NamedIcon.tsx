import { createElement, useSyncExternalStore } from 'react';
import { iconNodes, iconsVersion, loadAllIcons, onIcons } from './icons.ts';

/** The Tabler outline icon of this name. Names outside the common set are fetched once, on first use. */
export function NamedIcon({
  name,
  size = 16,
  stroke = 1.8,
}: {
  name: string;
  size?: number;
  stroke?: number;
}) {
  useSyncExternalStore(onIcons, iconsVersion);
  const nodes = iconNodes(name);
  if (!nodes) loadAllIcons();
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {(nodes ?? [['circle', { cx: '12', cy: '12', r: '4' }]]).map(([tag, attributes], index) =>
        createElement(tag, { ...attributes, key: index }),
      )}
    </svg>
  );
}
