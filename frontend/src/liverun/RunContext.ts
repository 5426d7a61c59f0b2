import { createContext, useContext } from 'react';

/** The run whose values are shown: large ones are fetched from it. */
export const RunContext = createContext<string | null>(null);

export const useRunId = (): string | null => useContext(RunContext);
