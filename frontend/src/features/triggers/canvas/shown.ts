/** Which trigger's panel is open in the editor: one by its id, `new`, or none. */

import { create } from 'zustand';

export const useShownTrigger = create<{ shown: string | null }>(() => ({ shown: null }));

export const showTrigger = (shown: string | null) => useShownTrigger.setState({ shown });
