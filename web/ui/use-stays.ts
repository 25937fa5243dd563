import { useState } from 'react';

/** True since it first was: what a fault has opened stays open while it is mended. */
export function useStays(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return isNow || was;
}
