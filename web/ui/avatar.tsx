import { Avatar as MantineAvatar } from '@mantine/core';

type Props = {
  name: string;
  url?: string | undefined;
  size?: number;
} & (
  | { kind?: 'bot'; mark: number }
  /** Of a person's id the seal is made: the same person always looks the same. */
  | { kind: 'person'; id: string }
  | { kind: 'workspace' }
);

/** A picture, or a mark with the letters of the name: a shop's sign for a bot, a round seal for a person, a square one for a workspace. */
export function Avatar({ name, url, size = 36, ...thing }: Props) {
  if (url)
    return <MantineAvatar src={url} alt="" size={size} radius={thing.kind === 'person' ? size : (size * 6) / 32} />;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none', display: 'block' }}>
      {thing.kind === 'person' ? (
        <RoundSeal hash={hashOf(`person:${thing.id}`)} letters={firstOf(name)} />
      ) : thing.kind === 'workspace' ? (
        <SquareSeal letters={firstOf(name)} />
      ) : (
        <Sign mark={thing.mark} letters={lettersOf(name)} />
      )}
    </svg>
  );
}

/** White on each is 6.3 or more, and each on its pale is 5.1 or more. */
const dyes = [
  ['#2f6b3a', '#dcebdc'],
  ['#27489c', '#dfe5f6'],
  ['#1f5a8a', '#dbe9f2'],
  ['#2a5c5e', '#d9eae9'],
  ['#6d3f86', '#eae0f0'],
  ['#8f2f46', '#f4dfe3'],
  ['#8a4a2a', '#f3e3d8'],
  ['#6e2f2a', '#eedcd8'],
  ['#5b602c', '#e8e9d3'],
  ['#3a4440', '#e2e6e2'],
] as const;

/** Frames of a shop's sign, with how far its characters are moved out of the way and how large they are. */
const frames: { path: string; dots?: true; dx?: number; dy: number; scale: number }[] = [
  { path: 'M16 5a11 11 0 1 1 0 22 11 11 0 0 1 0-22Z', dy: 0, scale: 0.86 },
  { path: 'M5.5 5.5h21v21h-21z', dy: 0, scale: 0.88 },
  { path: 'M5 12 16 5l11 7', dy: 4, scale: 0.95 },
  { path: 'm16 3.5 12.5 12.5L16 28.5 3.5 16z', dy: 0, scale: 0.78 },
  { path: 'M6 5v22h21', dx: 2.5, dy: -2, scale: 0.84 },
  { path: 'M8 3.5v25M24 3.5v25M3.5 8h25M3.5 24h25', dy: 0, scale: 0.8 },
  { path: 'M16 3.5 29.5 28h-27z', dy: 6.2, scale: 0.62 },
  { path: 'm16 4 10.4 6v12L16 28 5.6 22V10z', dy: 0, scale: 0.86 },
  { path: 'M6 6.5h20M6 25.5h20', dy: 0, scale: 0.98 },
  { path: 'M11 4.5h10l6.5 6.5v10L21 27.5H11L4.5 21V11z', dy: 0, scale: 0.88 },
  { path: 'M5 26c2-2.4 3.7-2.4 5.5 0s3.5 2.4 5.5 0 3.5-2.4 5.5 0 3.5 2.4 5.5 0', dy: -2.5, scale: 1 },
  { path: '', dots: true, dy: 3, scale: 1 },
];

function Sign({ mark, letters }: { mark: number; letters: string }) {
  const frame = frames[mark % frames.length]!;
  const [dye, pale] = dyes[Math.floor(mark / frames.length) % dyes.length]!;
  const isReversed = mark >= frames.length * dyes.length;
  const [ground, ink] = isReversed ? [pale, dye] : [dye, '#ffffff'];
  return (
    <>
      <rect width="32" height="32" rx="6" fill={ground} />
      <path d={frame.path} fill="none" stroke={ink} strokeWidth="1.8" strokeLinejoin="round" strokeLinecap="round" />
      {frame.dots && [9, 16, 23].map((x) => <circle key={x} cx={x} cy={x === 16 ? 5.5 : 7} r="1.9" fill={ink} />)}
      <Letters fill={ink} x={16 + (frame.dx ?? 0)} y={16 + frame.dy} size={sizeOf(letters) * frame.scale}>
        {letters}
      </Letters>
    </>
  );
}

function RoundSeal({ hash, letters }: { hash: number; letters: string }) {
  const [dye, pale] = dyes[hash % dyes.length]!;
  const arc = [60, 110, 170][(hash >>> 16) % 3] ?? 60;
  const from = 75 + (((hash >>> 8) % 8) / 7) * (360 - 75 - arc);
  const point = (degrees: number) => {
    const radians = (degrees * Math.PI) / 180;
    return `${(16 + 14.9 * Math.cos(radians)).toFixed(2)} ${(16 + 14.9 * Math.sin(radians)).toFixed(2)}`;
  };
  return (
    <>
      <circle cx="16" cy="16" r="16" fill={pale} />
      <path d={`M${point(from)}A14.9 14.9 0 0 1 ${point(from + arc)}`} fill="none" stroke={dye} strokeWidth="2.2" />
      <Letters fill={dye} y={16} size={13}>
        {letters}
      </Letters>
    </>
  );
}

function SquareSeal({ letters }: { letters: string }) {
  return (
    <>
      <rect width="32" height="32" rx="6" fill="#39423a" />
      <rect x="3.5" y="3.5" width="25" height="25" rx="3" fill="none" stroke="#ffffff" strokeWidth="1.2" />
      <Letters fill="#ffffff" y={16} size={14}>
        {letters}
      </Letters>
    </>
  );
}

interface LettersProps {
  fill: string;
  x?: number;
  y: number;
  size: number;
  children: string;
}

const Letters = ({ fill, x = 16, y, size, children }: LettersProps) => (
  <text x={x} y={y} dy="0.36em" textAnchor="middle" fontSize={size} fontWeight="600" fill={fill}>
    {children}
  </text>
);

const sizeOf = (letters: string) => (letters.length === 1 ? 15 : letters.length === 2 ? 12 : 10);

const firstOf = (name: string) =>
  [...new Intl.Segmenter().segment(name.trim() || '?')][0]?.segment.toLocaleUpperCase() ?? '?';

/** One character of a Japanese name; of another its first and last initials, or the last two digits of the number it ends with. */
function lettersOf(name: string): string {
  const digits = /(\d{1,2})\s*$/.exec(name.normalize('NFKC'))?.[1];
  if (digits) return digits.padStart(2, '0');
  const first = firstOf(name);
  if (!/^\p{Script=Latin}$/u.test(first)) return first;
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? firstOf(words.at(-1) ?? '') : '';
  return /^[\p{Script=Latin}\d]$/u.test(last) ? first + last : first;
}

/** FNV-1a of 32 bits, then a finisher, so that neighbors part. */
function hashOf(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
