import { useQuery } from '@tanstack/react-query';
import { richKinds } from '../../../shared/rich-line.ts';
import type { CardsDraft } from '../../../shared/rich-message.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { emptyEdit, toEdit } from './draft.ts';

/** What is begun with: a kind with nothing in it, or one of the templates. It stays so, also when the language changes. */
export const useBeginning = (from: string | undefined) =>
  useQuery({
    queryKey: ['rich-messages', 'begin', from ?? ''],
    queryFn: async () => {
      const template = richTemplates(currentLocale()).find(({ id }) => id === from);
      if (!template)
        return { name: '', edit: emptyEdit(richKinds.find((kind) => kind === from) ?? 'cards', currentLocale()) };
      const { id, name, draft } = template;
      return { name, edit: draft.kind === 'cards' ? await pictured(id, draft) : toEdit(draft) };
    },
    networkMode: 'always',
    staleTime: Infinity,
    gcTime: 0,
  });

/** Without pictures where they cannot be made: the words are there in any case. */
async function pictured(id: string, draft: CardsDraft): Promise<CardsDraft> {
  try {
    return await (await import('./template-pictures.ts')).withPictures(id, draft);
  } catch {
    return draft;
  }
}
