import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** Adds a file; done when it has been read, which is no faster than the zip is taken. Throws when its reader has left. */
export type AddToZip = (
  name: string,
  content: Buffer | (() => Promise<Readable>),
  options?: { compress?: boolean },
) => Promise<void>;

/**
 * A zip that is written as it is sent. When its reader leaves, the file that is open is closed and `fill` gets an error; when
 * `fill` fails, the zip ends visibly incomplete.
 */
export function writeZip(fill: (add: AddToZip) => Promise<void>): Readable {
  const zip = new ZipFile();
  // A border: yazl types its stream as less than it is.
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => void output.destroy(error);
  let leave = () => {};
  output.on('close', () => leave());
  zip.on('error', fail);
  const add: AddToZip = (name, content, { compress = true } = {}) =>
    new Promise((read, stop) => {
      let opened: Readable | undefined;
      leave = () => {
        opened?.destroy();
        stop(new Error('the reader of a zip has left'));
      };
      if (output.destroyed) return leave();
      zip.addReadStreamLazy(name, { compress }, (give) => {
        const open = async () => (Buffer.isBuffer(content) ? Readable.from([content]) : content());
        open().then((stream) => {
          opened = stream.once('end', read).once('error', stop);
          if (output.destroyed) leave();
          else give(null, stream);
        }, stop);
      });
    });
  fill(add).then(() => zip.end(), fail);
  return output;
}
