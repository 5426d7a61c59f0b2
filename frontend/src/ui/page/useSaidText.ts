import { useCallback, useState } from 'react';

/**
 * What is typed in a field whose words the address says, a little later: `[text, type, sent]`. A link, a saved view
 * or *Clear the filters* says other words there than `sent` told last: they stand in the field then.
 */
export function useSaidText(
  said: string,
): [text: string, type: (text: string) => void, sent: (text: string) => void] {
  const [text, setText] = useState(said);
  const [known, setKnown] = useState({ said, sent: said });
  if (said !== known.said) {
    setKnown({ said, sent: said });
    if (said !== known.sent) setText(said);
  }
  const sent = useCallback((words: string) => setKnown((now) => ({ ...now, sent: words })), []);
  return [text, setText, sent];
}
