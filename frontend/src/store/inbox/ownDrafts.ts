/** What one person has written and not sent, in this tab's storage: gone once nobody is signed in. */

const key = 'graphwright.drafts';
/** Drafts that outlive a reload, and how much room one and all of them may take. */
const KEPT = 20;
const ONE = 20_000;
const ALL = 200_000;

/** Whose drafts are kept from now on; empty for nobody's. */
let owner = '';

/** Open the drafts of a person: what they wrote before the page was loaded anew; null where they are open. */
export function openDrafts(person: string): Record<string, unknown> | null {
  if (person === owner) return null;
  owner = person;
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as {
      person: string;
      drafts: [string, unknown][];
    } | null;
    return kept?.person === person ? Object.fromEntries(kept.drafts) : {};
  } catch {
    return {}; // what is no list of drafts is none
  }
}

/** Keep the newest that fit. */
export function writeDrafts(drafts: Readonly<Record<string, unknown>>): void {
  if (owner === '') return;
  let room = ALL;
  const fitting = Object.entries(drafts)
    .toReversed()
    .filter((entry) => {
      const { length } = JSON.stringify(entry);
      if (length > ONE || length > room) return false;
      room -= length;
      return true;
    })
    .slice(0, KEPT)
    .toReversed();
  try {
    if (fitting.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ person: owner, drafts: fitting }));
  } catch {
    // Storage is full or forbidden: then drafts end with the page.
  }
}

export function forgetDrafts(): void {
  owner = '';
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
