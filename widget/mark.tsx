/** A shop's sign: a frame and a character, as everywhere else that a bot is shown. White on each dye is 6.3 or more. */
const dyes = [
  '#2f6b3a#dcebdc',
  '#27489c#dfe5f6',
  '#1f5a8a#dbe9f2',
  '#2a5c5e#d9eae9',
  '#6d3f86#eae0f0',
  '#8f2f46#f4dfe3',
  '#8a4a2a#f3e3d8',
  '#6e2f2a#eedcd8',
  '#5b602c#e8e9d3',
  '#3a4440#e2e6e2',
];

/** Each with how far the character is moved to the right and down, and how large it is. */
const frames: [path: string, right: number, down: number, size: number][] = [
  ['M16 5a11 11 0 1 1 0 22 11 11 0 0 1 0-22Z', 0, 0, 0.86],
  ['M5.5 5.5h21v21h-21z', 0, 0, 0.88],
  ['M5 12 16 5l11 7', 0, 4, 0.95],
  ['m16 3.5 12.5 12.5L16 28.5 3.5 16z', 0, 0, 0.78],
  ['M6 5v22h21', 2.5, -2, 0.84],
  ['M8 3.5v25M24 3.5v25M3.5 8h25M3.5 24h25', 0, 0, 0.8],
  ['M16 4.5 29 27H3z', 0, 4.5, 0.72],
  ['m16 4 10.4 6v12L16 28 5.6 22V10z', 0, 0, 0.86],
  ['M6 6.5h20M6 25.5h20', 0, 0, 0.98],
  ['M11 4.5h10l6.5 6.5v10L21 27.5H11L4.5 21V11z', 0, 0, 0.88],
  ['M5 26c2-2.4 3.7-2.4 5.5 0s3.5 2.4 5.5 0 3.5-2.4 5.5 0 3.5 2.4 5.5 0', 0, -2.5, 1],
  ['M9 7v0M16 5.5v0M23 7v0', 0, 3, 1],
];

interface Props {
  name: string;
  /** An uploaded picture stands for it. */
  url?: string | undefined;
  /** Of a bot; a person has a round one. */
  mark?: number;
  size?: number;
}

export function Face({ name, url, mark, size = 34 }: Props) {
  if (url)
    return (
      <img className="face" src={url} alt="" width={size} height={size} data-round={mark === undefined || undefined} />
    );
  const letters = lettersOf(name);
  const [path, right, down, scale] = frames[(mark ?? 0) % frames.length]!;
  const [dye, pale] = dyes[Math.floor((mark ?? 0) / frames.length) % dyes.length]!.match(/#\w{6}/g)!;
  const isReversed = (mark ?? 0) >= frames.length * dyes.length;
  const [ground, ink] = mark === undefined ? ['var(--ai-tint)', 'var(--ai)'] : isReversed ? [pale, dye] : [dye, '#fff'];
  const text = (letters.length === 1 ? 15 : letters.length === 2 ? 12 : 10) * (mark === undefined ? 0.9 : scale);
  return (
    <svg className="face" width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx={mark === undefined ? 16 : 6} fill={ground} />
      {mark !== undefined && (
        <path
          d={path}
          fill="none"
          stroke={ink}
          strokeWidth={path.includes('v0M') ? 3.8 : 1.8}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      <text
        x={16 + (mark === undefined ? 0 : right)}
        y={16 + (mark === undefined ? 0 : down)}
        dy="0.36em"
        textAnchor="middle"
        fontSize={text}
        fontWeight="600"
        fill={ink}
      >
        {letters}
      </text>
    </svg>
  );
}

const firstOf = (name: string) => [...(name.trim() || '?')][0]!.toUpperCase();

/** One character of a Japanese name; of another its first and last initials, or the last two digits of the number it ends with. */
function lettersOf(name: string): string {
  const digits = /(\d{1,2})\s*$/.exec(name.normalize('NFKC'))?.[1];
  if (digits) return digits.padStart(2, '0');
  const first = firstOf(name);
  if (!/^\p{Script=Latin}$/u.test(first)) return first;
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? firstOf(words.at(-1)!) : '';
  return /^[\p{Script=Latin}\d]$/u.test(last) ? first + last : first;
}
