/** What cannot be kept for the next page lasts as long as this one. */
const memory = new Map<string, string>();
let keepOutside: (all: Record<string, string>) => void = () => {};

/** Where this browser keeps nothing for a frame of another site, the page around it does. */
export const onDenied = (keep: typeof keepOutside): void => void (keepOutside = keep);

function isDenied(): boolean {
  try {
    localStorage.getItem('');
    return false;
  } catch {
    return true;
  }
}

/** What the page around it has kept. Elsewhere no page says who its visitor is. */
export function takeBack(all: Record<string, string> = {}): void {
  if (!isDenied()) return;
  for (const [key, text] of Object.entries(all)) memory.set(key, text);
}

export function readKept<T>(key: string): T | undefined {
  let text = memory.get(key);
  try {
    text = localStorage.getItem(key) ?? text;
  } catch {
    // There is no storage here.
  }
  return text === undefined ? undefined : JSON.parse(text);
}

export function keepFor(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // There is no storage here, or it is full.
    if (isDenied()) keepOutside(Object.fromEntries(memory));
  }
}
