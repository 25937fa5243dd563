import type { QueryClient } from '@tanstack/react-query';
import { conversations, type Thread } from '../../../shared/contracts/conversations.ts';
import { fetchBytes } from '../../lib/api.ts';
import { saveFile } from '../../lib/save-file.ts';
import { messagesOf } from './conversations.queries.ts';

const kinds = {
  markdown: { mime: 'text/markdown', ending: 'md' },
  json: { mime: 'application/json', ending: 'json' },
};

/** Hands the conversation to the browser as a file to save. */
export async function saveThread({ uuid, title }: Thread, format: keyof typeof kinds): Promise<void> {
  const { mime, ending } = kinds[format];
  const bytes = await fetchBytes(conversations.export, { params: { thread: uuid }, query: { format } });
  const name = title.replace(/[\\/:*?"<>|\p{C}]+/gu, ' ').trim() || 'conversation';
  saveFile(bytes, { name: `${name}.${ending}`, type: mime });
}

const mostPages = 40;
/** Until all that came is drawn, and the answers have their form. */
const drawnMs = 600;

/** Prints the conversation from its beginning: what was not on the screen yet is fetched first. */
export async function printThread(client: QueryClient, { uuid }: Thread): Promise<void> {
  await client.fetchInfiniteQuery({ ...messagesOf(uuid), pages: mostPages, staleTime: 0 });
  await new Promise((resolve) => setTimeout(resolve, drawnMs));
  window.print();
}
