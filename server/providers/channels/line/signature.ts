import { createHmac, timingSafeEqual } from 'node:crypto';

/** What LINE signs a webhook with: HMAC-SHA256 of the bytes as they came, in base64. */
export const sign = (secret: string, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('base64');

/**
 * Whether LINE has signed a webhook's bytes. Never throws, whatever the header is, and takes as long for each wrong one.
 * https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/
 */
export function isSigned(secret: string, rawBody: Buffer, header: string | undefined): boolean {
  const [given, right] = [Buffer.from(header ?? ''), Buffer.from(sign(secret, rawBody))];
  return given.length === right.length && timingSafeEqual(given, right);
}
