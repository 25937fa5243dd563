import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A large answer that many get: made and compressed once. */
export interface Packed {
  etag: string;
  br: Buffer;
  gzip: Buffer;
}

export async function pack(text: string): Promise<Packed> {
  const bytes = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    promisify(gzip)(bytes),
  ]);
  return { etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`, br, gzip: gzipped };
}

/** Sends it as the caller can read it, or that it is still the same. */
export async function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed): Promise<void> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim());
  const encoding = (['br', 'gzip'] as const).find((name) =>
    accepted.some((each) => each === name || (each.startsWith(`${name};`) && !/;\s*q=0(?:\.0*)?$/.test(each))),
  );
  reply
    .header('etag', packed.etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'accept-encoding, authorization')
    .type('application/json; charset=utf-8');
  if (request.headers['if-none-match']?.includes(packed.etag)) return void reply.status(304).send();
  if (encoding) return void reply.header('content-encoding', encoding).send(packed[encoding]);
  reply.header('content-encoding', 'identity').send(await promisify(gunzip)(packed.gzip));
}
