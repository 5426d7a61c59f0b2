/** What may be done with a call of which nobody knows whether it happened, in a phrase. */
export const effectWords: Record<string, string> = {
  pure: 'changes nothing',
  read: 'only looks',
  llm: 'asks a model',
  keyed: 'safe to send again',
  probe: 'can be looked up',
  unsafe: 'may change something',
};

/** What a person may set, and what follows from it. */
export const settable = [
  { value: 'read', label: 'only looks', text: 'A lost call is simply made again.' },
  {
    value: 'keyed',
    label: 'safe to send again',
    text: 'A lost call is made again under the same key, which the other side must honour.',
  },
  {
    value: 'unsafe',
    label: 'may change something',
    text: 'A lost call waits for a person, who says whether it happened.',
  },
] as const;
