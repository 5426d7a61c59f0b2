import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { hasBelow, type OutlineRow, unfolded } from '../../../graph/outline/outline.ts';
import { useEditor } from '../../../store/editor.ts';

/** A row that stands for something that can be selected. */
const stands = (row: OutlineRow | undefined): row is OutlineRow =>
  row !== undefined && row.kind !== 'loose';

/** The ids that are selected, whatever they are of. */
function useSelection(): ReadonlySet<string> {
  const nodes = useEditor((state) => state.nodes);
  const edges = useEditor((state) => state.edges);
  return useMemo(
    () => new Set([...nodes, ...edges].filter((item) => item.selected).map((item) => item.id)),
    [nodes, edges],
  );
}

/** Keeps the row that is stood at in sight as the outline grows lower, as beside a sheet that opens. */
function useInSight(tree: RefObject<HTMLUListElement | null>): void {
  useEffect(() => {
    const box = tree.current?.parentElement;
    if (!box) return;
    const observer = new ResizeObserver(() =>
      tree.current?.querySelector('[tabindex="0"]')?.scrollIntoView({ block: 'nearest' }),
    );
    observer.observe(box);
    return () => observer.disconnect();
  }, [tree]);
}

/** The rows that are shown, which of them is stood at, and the keys of a tree. */
export function useTree(all: readonly OutlineRow[], asked: boolean) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => unfolded(all, folded), [all, folded]);
  const selection = useSelection();
  const tree = useRef<HTMLUListElement>(null);
  useInSight(tree);
  const inside = useRef(false);
  const [place, setPlace] = useState(0);
  const chosen = rows.findLastIndex((row) => stands(row) && selection.has(row.id));
  if (chosen >= 0 && chosen !== place) setPlace(chosen);
  const at = chosen >= 0 ? chosen : Math.min(place, Math.max(0, rows.length - 1));
  const stood = rows[at]?.key;
  // At once: a node that is renamed gets another row, and a Tab in between would leave the tree.
  useLayoutEffect(() => {
    const element = tree.current?.querySelector<HTMLElement>('[tabindex="0"]');
    const focused = document.activeElement;
    const lost = inside.current && (focused === document.body || focused === null);
    if (element && (lost || tree.current?.contains(focused))) element.focus();
    else element?.scrollIntoView({ block: 'nearest' });
  }, [stood]);
  useEffect(() => {
    if (asked) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [asked]);
  const fold = (row: OutlineRow, close: boolean) =>
    setFolded((now) => {
      const next = new Set(now);
      if (close) next.add(row.key);
      else next.delete(row.key);
      return next;
    });
  const go = (to: number, extend = false) => {
    const row = rows[to];
    if (!row) return;
    setPlace(to);
    const { select } = useEditor.getState();
    if (!stands(row)) return select([]);
    select(extend ? [...selection, row.id] : [row.id]);
  };
  /** Left: fold, else up to what it stands below. Right: unfold, else into it. */
  const sideways = (key: string) => {
    const row = rows[at];
    if (!row) return;
    const open = hasBelow(rows, at);
    if (key === 'ArrowRight') {
      if (folded.has(row.key)) fold(row, false);
      else if (open) go(at + 1);
    } else if (open) fold(row, true);
    else go(rows.findLastIndex((other, index) => index < at && other.level < row.level));
  };
  const moves: Record<string, () => number> = {
    ArrowDown: () => Math.min(at + 1, rows.length - 1),
    ArrowUp: () => Math.max(at - 1, 0),
    Home: () => 0,
    End: () => rows.length - 1,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moves[event.key];
    if (move) go(move(), event.shiftKey);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') sideways(event.key);
    else return;
    event.preventDefault();
  };
  const onFocus = () => {
    inside.current = true;
  };
  const onBlur = (event: React.FocusEvent) => {
    if (event.relatedTarget instanceof Node)
      inside.current = tree.current?.contains(event.relatedTarget) ?? false;
  };
  return { rows, at, selection, folded, fold, go, tree, onKeyDown, onFocus, onBlur };
}
