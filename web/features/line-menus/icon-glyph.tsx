import { icons } from './icons.ts';

/** An icon as cells are drawn with. */
export const IconGlyph = ({ name, size = 20 }: { name: string; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    {icons.get(name)?.map((part) => (
      <path key={part} d={part} />
    ))}
  </svg>
);
