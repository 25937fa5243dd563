import type { PlayableMime } from '../../../shared/recordings.ts';

/** A recording in a form that every phone plays. */
export interface Recording {
  mime: PlayableMime;
  durationMs: number;
  /** How large a film is shown, in pixels. */
  shown?: { width: number; height: number } | undefined;
}

/**
 * What a recording says of itself: sound as MP3 or MP4, a film as MP4. Nothing for another container, QuickTime's `.mov` among them, and
 * where it cannot be told how long it lasts. Each box and each frame is passed once.
 */
export const readRecording = (bytes: Buffer): Recording | undefined => readMp4(bytes) ?? readMp3(bytes);

/** More boxes beside each other than any recorder writes before the one that describes it all. */
const maxBoxes = 10_000;

interface Box {
  type: string;
  body: Buffer;
}

/** ISO/IEC 14496-12, 4.2: a length, a type of four letters, and what is inside. Ends at a box that is not whole. */
function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < maxBoxes; count++) {
    const told = bytes.readUInt32BE(at);
    const head = told === 1 ? 16 : 8;
    if (at + head > bytes.length) return;
    const size = told === 0 ? bytes.length - at : told === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : told;
    if (size < head || at + size > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + head, at + size) };
    at += size;
  }
}

function inside(bytes: Buffer, ...path: string[]): Buffer | undefined {
  const [type, ...rest] = path;
  if (type === undefined) return bytes;
  for (const box of boxesIn(bytes)) if (box.type === type) return inside(box.body, ...rest);
  return undefined;
}

/** The first brand says what a file is, the others what may read it as well (4.3). QuickTime's and 3GPP's are relatives of MP4. */
const mp4 = /^(?:iso[m\d]|mp4\d|avc1|dash|M4[ABV].)$/;
const relatives = /^(?:qt|3g)/;

function readMp4(bytes: Buffer): Recording | undefined {
  const brands =
    bytes.toString('latin1', 4, 8) === 'ftyp' ? (inside(bytes, 'ftyp')?.toString('latin1', 0, 400) ?? '') : '';
  const brand = brands.slice(0, 4);
  const isMp4 = !relatives.test(brand) && (brands.match(/[^]{4}/g) ?? []).some((each) => mp4.test(each));
  const movie = isMp4 ? inside(bytes, 'moov') : undefined;
  const durationMs = movie && lengthOf(movie);
  if (!movie || !durationMs) return undefined;
  let isSound = false;
  for (const { type, body } of boxesIn(movie)) {
    const handler = type === 'trak' ? inside(body, 'mdia', 'hdlr')?.toString('latin1', 8, 12) : undefined;
    // Books that are read aloud have their pictures as a track.
    if (handler === 'vide' && !/^M4[AB] /.test(brand)) return { mime: 'video/mp4', durationMs, shown: sizeOf(body) };
    isSound ||= handler === 'soun';
  }
  return isSound ? { mime: 'audio/mp4', durationMs } : undefined;
}

/** In milliseconds, from the movie's header (8.2.2), or that of its fragments (8.8.2) where it was written while it was recorded. */
function lengthOf(movie: Buffer): number | undefined {
  const header = inside(movie, 'mvhd');
  if (!header || header.length < 32) return undefined;
  const isLong = header[0] === 1;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const fragments = inside(movie, 'mvex', 'mehd');
  const units =
    (isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)) ||
    (fragments && fragments.length >= 8
      ? fragments[0] === 1 && fragments.length >= 12
        ? Number(fragments.readBigUInt64BE(4))
        : fragments.readUInt32BE(4)
      : 0);
  return toMilliseconds(units / scale);
}

/** All bits set mean that nobody knows; nothing that is sent lasts a month. */
function toMilliseconds(seconds: number): number | undefined {
  const rounded = Math.round(seconds * 1000);
  return rounded >= 1 && rounded < 30 * 24 * 3_600_000 ? rounded : undefined;
}

/** 8.3.2: the matrix turns it where a phone was held upright, and the size stands after it, in 65,536ths. */
function sizeOf(track: Buffer): Recording['shown'] {
  const header = inside(track, 'tkhd');
  const matrix = header?.[0] === 1 ? 52 : 40;
  if (!header || header.length < matrix + 44) return undefined;
  const isTurned = header.readInt32BE(matrix) === 0;
  const [wide, high] = [header.readUInt32BE(matrix + 36) >>> 16, header.readUInt32BE(matrix + 40) >>> 16];
  if (wide === 0 || high === 0) return undefined;
  return isTurned ? { width: high, height: wide } : { width: wide, height: high };
}

/** Fewer that fit each other may be chance. */
const minFrames = 3;

function readMp3(bytes: Buffer): Recording | undefined {
  let at = afterTags(bytes);
  let frames = 0;
  let seconds = 0;
  for (let frame = frameAt(bytes, at); frame; frame = frameAt(bytes, at)) {
    at += frame.bytes;
    seconds += frame.seconds;
    frames++;
  }
  const durationMs = frames >= minFrames ? toMilliseconds(seconds) : undefined;
  return durationMs === undefined ? undefined : { mime: 'audio/mpeg', durationMs };
}

/** https://id3.org/id3v2.4.0-structure, 3.1: names and covers stand before the sound, with their length in four times seven bits. */
function afterTags(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((bytes[place] ?? 0) & 0x7f), 0);
  const hasFooter = ((bytes[5] ?? 0) & 0x10) !== 0;
  return size + (hasFooter ? 20 : 10);
}

/** Kilobits in a second by the four bits of a header, for layer III of MPEG-1 and of MPEG-2 and 2.5 (ISO/IEC 11172-3, 13818-3). */
const bitrates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
};
const sampleRates = [44_100, 48_000, 32_000, 0];
/** By the two bits for the version: 2.5, none, 2, 1. */
const slower = [4, 0, 2, 1];

function frameAt(bytes: Buffer, at: number): { bytes: number; seconds: number } | undefined {
  if (at + 4 > bytes.length) return undefined;
  const header = bytes.readUInt32BE(at);
  // Eleven bits of its mark; layer III.
  if (header >>> 21 !== 0x7ff || ((header >>> 17) & 3) !== 1) return undefined;
  const divisor = slower[(header >>> 19) & 3] ?? 0;
  const isFirst = divisor === 1;
  const kilobits = bitrates[isFirst ? 'first' : 'later'][(header >>> 12) & 15] ?? 0;
  const rate = (sampleRates[(header >>> 10) & 3] ?? 0) / divisor;
  if (kilobits === 0 || !Number.isFinite(rate) || rate === 0) return undefined;
  const samples = isFirst ? 1152 : 576;
  const size = Math.floor(((samples / 8) * kilobits * 1000) / rate) + ((header >>> 9) & 1);
  return { bytes: size, seconds: samples / rate };
}
