import { encode } from 'uqr';

/** Dark on white in every color mode, with the quiet margin of four modules that readers need. */
export default function QrCode({ value, label, size = 208 }: { value: string; label: string; size?: number }) {
  const code = encode(value, { ecc: 'M', border: 4 });
  const modules = code.data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, flex: 'none' }}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}
