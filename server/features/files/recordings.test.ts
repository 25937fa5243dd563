import { expect, test } from 'vitest';
import { mp3, mp4 } from '../../testing/recordings.ts';
import { readRecording } from './recordings.ts';

test.each([
  ['sound in frames', mp3(1_000), { mime: 'audio/mpeg', durationMs: 26_122 }],
  ['a film', mp4(), { mime: 'video/mp4', durationMs: 12_500, shown: { width: 1280, height: 720 } }],
  ['a film held upright', mp4({ isTurned: true }), { mime: 'video/mp4', shown: { width: 720, height: 1280 } }],
  ['a long film', mp4({ isLong: true, seconds: 9_000 }), { mime: 'video/mp4', durationMs: 9_000_000 }],
  ['a film in fragments', mp4({ isInFragments: true }), { mime: 'video/mp4', durationMs: 12_500 }],
  ['sound in a film’s container', mp4({ kinds: ['soun'] }), { mime: 'audio/mp4', durationMs: 12_500 }],
  ['a film of a camera', mp4({ brand: 'XAVC', alsoReadAs: 'mp42' }), { mime: 'video/mp4', durationMs: 12_500 }],
  ['a book that is read aloud', mp4({ brand: 'M4B ' }), { mime: 'audio/mp4', durationMs: 12_500 }],
])('%s says how long it lasts', (_, bytes, said) => {
  expect(readRecording(bytes)).toMatchObject(said);
});

test.each([
  ['another brand', mp4({ brand: 'heic' })],
  ['a film of QuickTime', mp4({ brand: 'qt  ', alsoReadAs: 'mp42' })],
  ['a film of 3GPP', mp4({ brand: '3gp4', alsoReadAs: 'isom' })],
  ['no length', mp4({ seconds: 0 })],
  ['a length that nobody knows', mp4({ seconds: 0xff_ff_ff_ff / 600 })],
  ['neither sound nor pictures', mp4({ kinds: [] })],
  ['frames that may be chance', mp3(2)],
  ['a tag without sound', mp3(0)],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0xff])],
  ['zeros', Buffer.alloc(100_000)],
  ['marks alone', Buffer.alloc(100_000, 0xff)],
])('%s is no recording that every phone plays', (_, bytes) => {
  expect(readRecording(bytes)).toBeUndefined();
});

test('a file that is cut off or damaged anywhere is read to no harm', () => {
  for (const whole of [mp4(), mp4({ isLong: true }), mp4({ isInFragments: true }), mp3(4)])
    for (let at = 0; at < whole.length; at++) {
      if (at > 60 && at < 2_000) continue;
      readRecording(whole.subarray(0, at));
      for (const value of [0, 1, 255])
        readRecording(Buffer.concat([whole.subarray(0, at), Buffer.from([value]), whole.subarray(at + 1)]));
    }
});
