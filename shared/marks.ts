/** How a bot's mark is numbered: a frame, the dye it is drawn in, and whether the dye is on its pale or white is on the dye. */
const frames = 12;
const dyes = 10;
export const marks = frames * dyes * 2;

interface Ground {
  /** 0…11 */ frame: number;
  /** 0…9 */ dye: number;
  isReversed: boolean;
}

const toGround = (mark: number): Ground => ({
  frame: mark % frames,
  dye: Math.floor(mark / frames) % dyes,
  isReversed: mark >= frames * dyes,
});

const toMark = ({ frame, dye, isReversed }: Ground) => frame + frames * (dye + (isReversed ? dyes : 0));

/** The mark that a bot gets where nobody else has it: one of three is reversed. */
export function firstMark(uuid: string): number {
  const hash = hashOf(`bot:${uuid}`);
  return toMark({ frame: hash % frames, dye: (hash >>> 8) % dyes, isReversed: (hash >>> 16) % 3 === 0 });
}

/** The first mark that is not taken, from `start` on: another frame, then another dye, then reversed. `start` where all are taken. */
export function freeMark(start: number, taken: ReadonlySet<number>): number {
  const { frame, dye, isReversed } = toGround(start);
  for (let step = 0; step < marks; step++) {
    const mark = toMark({
      // 5 and 12, and 3 and 10, have no divisor in common: each frame and each dye comes once.
      frame: (frame + 5 * (step % frames)) % frames,
      dye: (dye + 3 * Math.floor(step / frames)) % dyes,
      isReversed: isReversed !== step >= marks / 2,
    });
    if (!taken.has(mark)) return mark;
  }
  return start;
}

/** FNV-1a of 32 bits, then a finisher, so that neighbors part. */
function hashOf(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
