export type Language = 'node' | 'python';

/** How a program checks who sent a request, with nothing but what each language brings along; the guide has the same. */
export const snippets: Record<Language, string> = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the bytes as they came, before anything has parsed them.
export function isFromKotae(secret, body, header) {
  const [, seconds, signature] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (!seconds || Math.abs(Date.now() / 1000 - Number(seconds)) > 300) return false;
  const expected = createHmac('sha256', secret).update(seconds + '.').update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}`,
  python: `import hashlib
import hmac
import re
import time


# body: the bytes as they came, before anything has parsed them.
def is_from_kotae(secret: str, body: bytes, header: str) -> bool:
    match = re.fullmatch(r"t=(\\d+),v1=([0-9a-f]{64})", header or "")
    if not match or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(expected.hexdigest(), match[2])`,
};
