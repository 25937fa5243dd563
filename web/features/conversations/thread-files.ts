import { conversations, type Thread } from '../../../shared/contracts/conversations.ts';
import { fetchBytes } from '../../lib/api.ts';
import { saveFile } from '../../lib/save-file.ts';

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
