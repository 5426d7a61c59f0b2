/** Under which id each node that was called otherwise was first shown in this visit. */
const first = new Map<string, string>();

/** Say that a node has another id now and is the same. */
export function goesOnAs(from: string, to: string): void {
  const was = sameNode(from);
  first.delete(from);
  first.set(to, was);
}

/** What stays the same of a node whose id changes: a form that is typed into is kept by it. */
export function sameNode(id: string): string {
  const known = first.get(id);
  if (known !== undefined) return known;
  const names = new Set(first.values());
  let name = id;
  while (names.has(name)) name = `${name} anew`;
  return name;
}
