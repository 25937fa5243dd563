import { Avatar as MantineAvatar } from '@mantine/core';
import { dyes, firstOf, frames, lettersOf, sizeOf } from '../../shared/mark-drawings.ts';

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
      <Letters fill={ink} x={16 + (frame.dx ?? 0)} y={16 + frame.dy} size={sizeOf(letters, frame)}>
        {letters}
      </Letters>
    </>
  );
}

function RoundSeal({ hash, letters }: { hash: number; letters: string }) {
  const [dye, pale] = dyes[hash % dyes.length]!;
  return (
    <>
      <circle cx="16" cy="16" r="16" fill={pale} />
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

/** FNV-1a of 32 bits, then a finisher, so that neighbors part. */
function hashOf(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
