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

/** Ten centimeters at the 300 dots per inch that printers ask for. */
const printedPixels = 1200;

/** The same as a PNG for whatever is printed. */
export async function drawQrPng(value: string): Promise<ArrayBuffer> {
  const { data, size } = encode(value, { ecc: 'M', border: 4 });
  const scale = Math.ceil(printedPixels / size);
  const canvas = Object.assign(document.createElement('canvas'), { width: size * scale, height: size * scale });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && context.fillRect(x * scale, y * scale, scale, scale)));
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('This browser makes no pictures.');
  return blob.arrayBuffer();
}
