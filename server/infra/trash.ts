const keptMs = 30 * 86_400_000;
const marginMs = 60_000;

/** What was deleted before this can no longer be restored. */
export const restorableSince = (): number => Date.now() - keptMs;

/** What was deleted before this is erased: a little later, so that nothing is erased while somebody restores it. */
export const erasableBefore = (): number => Date.now() - keptMs - marginMs;
