import { createHash, type Hash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';

/** A file of a form, as it comes in. `truncated` says at its end that it was larger than allowed. */
export interface FormFile {
  fieldname: string;
  filename: string;
  file: Readable & { readonly truncated: boolean };
}

export type ReadFiles = (limits?: { fileSize?: number; files?: number }) => AsyncGenerator<FormFile, void>;

/** How often it is asked whether the sender is still let in, while a file comes and when it is whole. */
const askMs = { coming: 2_000, whole: 1_000 };

/**
 * The files of a form, one after another. A file that comes slowly ends with an error once `recheck` refuses its sender. `digest`
 * takes every part, so that two forms with one digest hold the same.
 */
export async function* readFiles(
  request: FastifyRequest,
  recheck: () => Promise<unknown>,
  limits: Parameters<ReadFiles>[0],
  digest?: Hash,
): AsyncGenerator<FormFile, void> {
  let askedAt = performance.now();
  const ask = async (everyMs: number) => {
    if (performance.now() - askedAt < everyMs) return;
    askedAt = performance.now();
    await recheck().catch((error: unknown) => {
      // An unreachable database says nothing about the sender.
      if (error instanceof AppError && error.code !== 'unavailable') throw error;
    });
  };
  // A folder is sent with the paths in it; whoever keeps a name makes it safe.
  for await (const part of request.parts({ preservePath: true, ...(limits && { limits }) })) {
    const { fieldname } = part;
    if (part.type === 'field') {
      digest?.update(JSON.stringify([fieldname, { value: part.value }]));
      continue;
    }
    const { filename, file: raw } = part;
    const content = digest && createHash('sha256');
    const asked = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        content?.update(chunk);
        void ask(askMs.coming).then(() => done(null, chunk), done);
      },
      flush(done) {
        digest?.update(JSON.stringify([fieldname, filename, content?.digest('hex')]));
        void ask(askMs.whole).then(() => done(), done);
      },
    });
    // A border: what is defined here has no type of its own.
    const file = Object.defineProperty(asked, 'truncated', { get: () => raw.truncated }) as Transform &
      FormFile['file'];
    // Whoever reads the file hears of its error.
    pipeline(raw, asked, () => {});
    yield { fieldname, filename, file };
  }
}

/** Reads to the end what nobody needs, one file after another. */
export async function drain(files: AsyncIterable<FormFile>): Promise<void> {
  for await (const { file } of files) await finished(file.resume());
}
