/* Recordings as small as they may be: their containers without sound or pictures in them. */

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

interface Film {
  seconds?: number;
  brand?: string;
  alsoReadAs?: string;
  kinds?: ('vide' | 'soun')[];
  width?: number;
  height?: number;
  /** Held upright, as phones note it. */
  isTurned?: boolean;
  /** With lengths of 64 bits. */
  isLong?: boolean;
  /** Written while it was recorded: its length stands with its fragments. */
  isInFragments?: boolean;
}

export function mp4({
  seconds = 12.5,
  brand = 'isom',
  alsoReadAs = brand,
  kinds = ['soun', 'vide'],
  width = 1280,
  height = 720,
  isTurned = false,
  isLong = false,
  isInFragments = false,
}: Film = {}): Buffer {
  const scale = 600;
  const units = Math.round(seconds * scale);
  const header = Buffer.alloc(isLong ? 112 : 100);
  header[0] = isLong ? 1 : 0;
  header.writeUInt32BE(scale, isLong ? 20 : 12);
  if (!isInFragments && isLong) header.writeBigUInt64BE(BigInt(units), 24);
  else if (!isInFragments) header.writeUInt32BE(units, 16);
  const fragments = Buffer.alloc(8);
  fragments.writeUInt32BE(units, 4);
  const tracks = kinds.map((kind) => {
    const track = Buffer.alloc(84);
    const matrix = isTurned
      ? [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30]
      : [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30];
    matrix.forEach((value, at) => track.writeInt32BE(value, 40 + at * 4));
    if (kind === 'vide') {
      track.writeUInt32BE(width * 65_536, 76);
      track.writeUInt32BE(height * 65_536, 80);
    }
    const handler = Buffer.concat([Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13)]);
    return box('trak', box('tkhd', track), box('mdia', box('hdlr', handler)));
  });
  return Buffer.concat([
    box('ftyp', Buffer.from(brand), Buffer.alloc(4), Buffer.from(alsoReadAs)),
    // What was filmed may stand before what describes it.
    box('mdat', Buffer.alloc(2_000, 7)),
    box('moov', box('mvhd', header), ...tracks, ...(isInFragments ? [box('mvex', box('mehd', fragments))] : [])),
  ]);
}

/** Frames of 128 kbit/s at 44.1 kHz: 1,152 samples each, after a cover picture. */
export function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_00);
  const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 0, ...Array<number>(256).fill(0xff)]);
  return Buffer.concat([tag, ...Array<Buffer>(frames).fill(frame), Buffer.from('TAG'.padEnd(128))]);
}
