import { createContext, useContext } from 'react';

/** Does something that may want to know again who is there, and says whether it was done: the person may turn back. */
export type Confirmed = (action: () => Promise<void>) => Promise<boolean>;

/** Filled in by the page, which brings the dialog that asks. */
export const ConfirmedContext = createContext<Confirmed>(async (action) => {
  await action();
  return true;
});

export const useConfirmed = (): Confirmed => useContext(ConfirmedContext);
