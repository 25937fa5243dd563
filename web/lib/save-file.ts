/** Hands bytes to the person as a file of this name. */
export function saveFile(bytes: ArrayBuffer, { name, type }: { name: string; type: string }): void {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
