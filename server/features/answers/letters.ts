/**
 * Holds back the first half of a surrogate pair, with which a piece of a growing text may end, until the other half comes. A half
 * that stays alone is U+FFFD, so that every piece can be read by itself.
 */
export function createLetters() {
  let held = '';
  return {
    push(part: string): string {
      const whole = held + part;
      const isCut = (whole.charCodeAt(whole.length - 1) & 0xfc00) === 0xd800;
      held = isCut ? whole.slice(-1) : '';
      return (isCut ? whole.slice(0, -1) : whole).toWellFormed();
    },
    end(): string {
      const rest = held.toWellFormed();
      held = '';
      return rest;
    },
  };
}
