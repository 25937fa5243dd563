import { pipeline, Transform, type Readable } from 'node:stream';
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

/** The files of a form, one after another. A file that comes slowly ends with an error once `recheck` refuses its sender. */
export async function* readFiles(
  request: FastifyRequest,
  recheck: () => Promise<unknown>,
  limits: Parameters<ReadFiles>[0],
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
  for await (const { fieldname, filename, file: raw } of request.files({ ...(limits && { limits }) })) {
    const asked = new Transform({
      transform: (part, _encoding, done) => void ask(askMs.coming).then(() => done(null, part), done),
      flush: (done) => void ask(askMs.whole).then(() => done(), done),
    });
    // A border: what is defined here has no type of its own.
    const file = Object.defineProperty(asked, 'truncated', { get: () => raw.truncated }) as Transform &
      FormFile['file'];
    // Whoever reads the file hears of its error.
    pipeline(raw, asked, () => {});
    yield { fieldname, filename, file };
  }
}
