import { isSystemFile } from '../../shared/system-files.ts';

/** The name of a file with the folders that it was chosen or dropped with. Mantine's drop zone has them in a field of its own. */
export const pathOf = (file: File & { relativePath?: string }): string =>
  file.webkitRelativePath || file.relativePath?.replace(/^\.?\//, '') || file.name;

/** What was dropped, folders with all that lies in them; what systems put there is left out. Call it in the event itself. */
export async function filesOf(data: DataTransfer | null): Promise<File[]> {
  // The browser takes the items back when the event is over.
  const dropped = [...(data?.items ?? [])].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const files: File[] = [];
  const waiting: FileSystemEntry[] = [];
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory) waiting.push(entry);
    else if (file) files.push(file);
  }
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    const path = entry.fullPath.replace(/^\//, '');
    if (isSystemFile(path)) continue;
    if (isFolder(entry)) waiting.push(...(await entriesIn(entry)));
    else if (isFile(entry)) files.push(withPath(await fileOf(entry), path));
  }
  return files;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** A browser hands over a hundred at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** As the browser itself gives the files of a folder that was chosen; it leaves the path of those that were dropped empty. */
const withPath = (file: File, path: string): File =>
  Object.defineProperty(file, 'webkitRelativePath', { value: path, configurable: true });
