import type { GraphTemplate } from '../../api/types/types.ts';

/** The templates of a category (null: of all) in which every word of the search occurs. */
export function matching(
  templates: readonly GraphTemplate[],
  search: string,
  category: string | null,
): GraphTemplate[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter((template) => {
    if (category !== null && template.category !== category) return false;
    const text = [
      template.name,
      template.pattern,
      template.category,
      template.description,
      ...template.node_types,
    ]
      .join(' ')
      .toLowerCase()
      .replaceAll('_', ' ');
    return words.every((word) => text.includes(word.replaceAll('_', ' ')));
  });
}

/** How many columns a grid has on the screen. */
export function columnsOf(grid: HTMLElement | null): number {
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1;
}

/** Which of `count` cards in `columns` an arrow key leads to from `at` (-1: from above); null where it leads nowhere. */
export function neighbour(key: string, at: number, count: number, columns: number): number | null {
  if (count === 0) return null;
  if (at < 0) return key === 'ArrowDown' ? 0 : null;
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = steps[key];
  if (step === undefined) return null;
  const next = at + step;
  return next >= 0 && next < count ? next : null;
}
