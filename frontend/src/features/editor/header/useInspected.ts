import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { requestFocus } from '../../../inspector/focus.ts';
import { type Subject, useSubject } from '../../../inspector/subject.ts';
import { useEditor } from '../../../store/editor.ts';

const GRAPH = { kind: 'graph' } as const;

interface Inspected {
  /** What is selected on the canvas. */
  selected: Subject;
  /** What the inspector shows: what is selected, else the workflow's settings where they are open. */
  subject: Subject;
  /** Show the settings, and put the cursor into this field where one is named. */
  openSettings: (path: string) => void;
  closeSettings: () => void;
  /** Show the settings; put them away only where they are what is seen. */
  toggleSettings: () => void;
}

/**
 * What the inspector shows, and the ways to the workflow's settings. A link's `?field=` leads into one
 * of them, or of the node that the link names.
 */
export function useInspected(): Inspected {
  const selected = useSubject();
  const [params] = useSearchParams();
  const [meant] = useState(params.get('field'));
  const [open, setOpen] = useState(meant !== null && !params.has('node'));
  useEffect(() => {
    if (meant !== null) requestFocus(meant);
  }, [meant]);
  const subject = useMemo(() => selected ?? (open ? GRAPH : null), [selected, open]);
  const openSettings = useCallback((path: string) => {
    useEditor.getState().select([]);
    setOpen(true);
    requestFocus(path);
  }, []);
  const closeSettings = useCallback(() => setOpen(false), []);
  const seen = subject?.kind === 'graph';
  const toggleSettings = useCallback(
    () => (seen ? setOpen(false) : openSettings('')),
    [seen, openSettings],
  );
  return { selected, subject, openSettings, closeSettings, toggleSettings };
}
