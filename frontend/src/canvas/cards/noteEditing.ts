import { create } from 'zustand';

/** The note or frame whose words are being written; null when none. */
export const useNoteEditing = create<{ id: string | null }>(() => ({ id: null }));

/** Write in a note, or in none. */
export const writeNote = (id: string | null) => useNoteEditing.setState({ id });
