import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()));
  return entries;
}

export async function zipOf(entries: Iterable<[string, Buffer | string]>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

/** A zip of empty files, in the form for more than 65,535: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3 */
export function zipOfMany(count: number): Buffer {
  const entries = Buffer.concat(
    Array.from({ length: count }, (_, at) => {
      const name = Buffer.from(`x${at}`);
      const entry = Buffer.alloc(46);
      entry.write('PK\x01\x02', 'latin1');
      entry.writeUInt16LE(name.length, 28);
      return Buffer.concat([entry, name]);
    }),
  );
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  for (const [at, value] of [
    [24, count],
    [32, count],
    [40, entries.length],
  ] as const)
    end64.writeBigUInt64LE(BigInt(value), at);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(entries.length), 8);
  const end = Buffer.alloc(22, 0xff);
  end.write('PK\x05\x06\0\0\0\0', 'latin1');
  end.writeUInt16LE(0, 20);
  return Buffer.concat([entries, end64, locator, end]);
}
