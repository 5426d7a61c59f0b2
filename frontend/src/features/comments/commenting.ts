import { create } from 'zustand';
import { requestFocus } from '../../inspector/focus.ts';

interface Commenting {
  /** Whether the list of all threads is shown. */
  panel: boolean;
  /** The thread that is unfolded; one at a time. */
  thread: string | null;
  /** How many open threads each card has. */
  counts: ReadonlyMap<string, number>;
  /** Rises when somebody said something. */
  heard: number;
}

/** What this page shows of comments; what was said is asked from the server. */
export const useCommenting = create<Commenting>(() => ({
  panel: false,
  thread: null,
  counts: new Map(),
  heard: 0,
}));

/** Ask the inspector for the comments of the chosen card, with the cursor where one writes. */
export const writeComment = (): void => {
  useCommenting.setState({ thread: null });
  requestFocus('comments.new');
};

export const toggleComments = (): void =>
  useCommenting.setState(({ panel }) => ({ panel: !panel }));

export const closeComments = (): void => useCommenting.setState({ panel: false });

/** Unfold a thread, or fold it again. */
export const unfold = (thread: string | null): void => useCommenting.setState({ thread });

/** Somebody said something, or the connection was gone for a while. */
export const heardComments = (): void =>
  useCommenting.setState(({ heard }) => ({ heard: heard + 1 }));

/** `2 open threads`, as cards and rows say it. */
export const threadsWord = (count: number): string =>
  count === 1 ? '1 open comment thread' : `${count} open comment threads`;
