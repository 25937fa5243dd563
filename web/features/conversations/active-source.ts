import { createContext } from 'react';

/** The chunk that is open beside the conversation: its numbers in the answers are marked. */
export const ActiveSource = createContext<string | undefined>(undefined);
