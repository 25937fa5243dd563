import { createHash } from 'node:crypto';

/** By which a block is known on other pages, whatever stands between its words. */
export const blockKey = (text: string): string =>
  createHash('sha1').update(text.replace(/\s+/g, ' ').trim()).digest('base64url').slice(0, 16);
