import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobMissingError, type Storage } from './storage.ts';

const dayMs = 86_400_000;

/** Files in a folder. A blob is written beside its place and moved in when it is whole and on the disk. */
export async function localStorage(folder: string): Promise<Storage> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  // What a killed process left half-written belongs to no row; another process may be writing what is young.
  for (const name of await readdir(incoming)) {
    const part = join(incoming, name);
    const { mtimeMs } = await stat(part).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > dayMs) await rm(part, { force: true });
  }
  const pathOf = (key: string) => join(folder, 'blobs', key);
  return {
    async put(key, bytes) {
      const part = join(incoming, key.replaceAll('/', '-'));
      const path = pathOf(key);
      try {
        await pipeline(
          bytes instanceof Uint8Array ? Readable.from([bytes]) : bytes,
          createWriteStream(part, { mode: 0o600, flush: true }),
        );
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(part, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async get(key) {
      await mustExist(pathOf(key));
      return createReadStream(pathOf(key));
    },
    async asFile(key) {
      await mustExist(pathOf(key));
      return { path: pathOf(key), done: async () => {} };
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

async function mustExist(path: string): Promise<void> {
  await access(path).catch((cause: unknown) => {
    throw new BlobMissingError(path, { cause });
  });
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
