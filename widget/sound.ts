import { keepFor, readKept } from './store.ts';

const name = 'kotae-sound';

/** The visitor's choice counts before the maker's. */
export const isSoundOn = (usual: boolean): boolean => readKept<boolean>(name) ?? usual;

export function turnSound(isOn: boolean): boolean {
  keepFor(name, isOn);
  if (isOn) void playSound();
  return isOn;
}

export const playSound = async (): Promise<void> => (await import('./notes.ts')).play();
