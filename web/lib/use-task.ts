import { useState } from 'react';
import { ApiError } from './api.ts';
import { goToFirstFault } from './first-fault.ts';

/** Work that a person started: whether it goes on, and what the server had to say against it. */
export function useTask() {
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
      goToFirstFault(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { run, error, isBusy, forget: () => setError(undefined) };
}
