import { Avatar as MantineAvatar } from '@mantine/core';
import { useId } from 'react';

interface Props {
  /** What the colors are made of: the same thing always looks the same. */
  id: string;
  name: string;
  url?: string | undefined;
  size?: number;
}

/** A picture, or one made of the name and id: two hues and a letter. */
export function Avatar({ id, name, url, size = 36 }: Props) {
  // Its own, since what another avatar defines is gone where that one is hidden.
  const gradient = useId();
  const seed = hash(id);
  const hue = seed % 360;
  const other = (hue + 40 + ((seed >> 9) % 60)) % 360;
  const letter = [...new Intl.Segmenter().segment(name.trim() || '?')][0]?.segment.toLocaleUpperCase() ?? '?';
  if (url) return <MantineAvatar src={url} alt="" size={size} radius={size / 3.2} />;
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden style={{ flex: 'none', display: 'block' }}>
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor={`hsl(${hue} 62% 40%)`} />
          <stop offset="1" stopColor={`hsl(${other} 58% 32%)`} />
        </linearGradient>
      </defs>
      <rect width="40" height="40" rx="12" fill={`url(#${gradient})`} />
      <circle
        cx={8 + ((seed >> 3) % 24)}
        cy={6 + ((seed >> 6) % 10)}
        r={9 + ((seed >> 12) % 8)}
        fill="#fff"
        opacity="0.14"
      />
      <text x="20" y="20" dy="0.36em" textAnchor="middle" fontSize="17" fontWeight="650" fill="#fff">
        {letter}
      </text>
    </svg>
  );
}

function hash(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  return (value ^ (value >>> 13)) >>> 1;
}
