import { openKotae } from './server.ts';

/** Starts a server once and lets it end by itself, which leaves its compiled code to the journeys' servers. */
export default async function warm(): Promise<void> {
  await (await openKotae()).end();
}
