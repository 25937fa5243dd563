import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { areKeys, encryptPush, maxPushBytes } from './push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
/** https://www.rfc-editor.org/rfc/rfc8291#appendix-A */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  ours: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('a message to a browser is encrypted as the standard has it', () => {
  const own = createECDH('prime256v1');
  own.setPrivateKey(bytes(example.ours));
  const sent = encryptPush(Buffer.from(example.text), example, { own, salt: bytes(example.salt) });
  expect(sent.toString('base64url')).toBe(example.message);
});

test('a message fills a record and no more', () => {
  expect(encryptPush(Buffer.alloc(maxPushBytes), example)).toHaveLength(4096);
  expect(() => encryptPush(Buffer.alloc(maxPushBytes + 1), example)).toThrow('push-too-large');
});

test('keys that are no point of the curve are known', () => {
  const { p256dh, auth } = example.keys;
  expect(areKeys({ p256dh, auth })).toBe(true);
  for (const keys of [
    { p256dh: '', auth },
    { p256dh: p256dh.slice(0, -4), auth },
    { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url'), auth },
    { p256dh: `${p256dh.slice(0, -4)}AAAA`, auth },
    { p256dh, auth: 'short' },
  ])
    expect(areKeys(keys)).toBe(false);
});
