import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { World } from './world.ts';

/** What a simulation has when it starts again; tokens are for a while only. */
const kept = [
  'people',
  'places',
  'chats',
  'contents',
  'quoteTokens',
  'readTokens',
  'webhook',
  'quota',
  'menus',
  'aliases',
  'defaultMenu',
  'links',
] as const satisfies (keyof World)[];
const pauseMs = 300;

/** Reads what a file has of a world, and writes what changes in it. A file that cannot be read is begun anew. */
export function keep(world: World, file: string): void {
  try {
    Object.assign(world, deserialize(readFileSync(file)));
  } catch {
    mkdirSync(dirname(file), { recursive: true });
  }
  let timer: NodeJS.Timeout | undefined;
  world.changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // Written beside it first, so that a file is never half of one.
      writeFileSync(`${file}.new`, serialize(Object.fromEntries(kept.map((name) => [name, world[name]]))), {
        mode: 0o600,
      });
      renameSync(`${file}.new`, file);
    }, pauseMs).unref();
  };
}
