import { z } from 'zod';
import { one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

/** What somebody got with a message: without its key nobody reads it. */
const bySent = { message: uuid, key: z.string().max(100) };

export const sent = {
  source: route('GET', '/api/public/sent/source', {
    access: 'anyone',
    scope: null,
    summary: 'A passage that an answer quotes, for whoever it was sent to',
    query: { ...bySent, number: z.coerce.number().int().min(1) },
    reply: one(
      z.object({
        number: z.number().int(),
        title: z.string(),
        page: z.number().int().nullable(),
        headings: z.array(z.string()),
        quote: z.string(),
        /** Its page can be shown, too. */
        pdf: z.boolean(),
      }),
    ),
  }),
  document: route('GET', '/api/public/sent/document', {
    access: 'anyone',
    scope: null,
    summary: 'The PDF that an answer quotes, for whoever it was sent to, where its channel shows pages',
    kind: 'file',
    query: { ...bySent, number: z.coerce.number().int().min(1) },
  }),
  file: route('GET', '/api/public/sent/file', {
    access: 'anyone',
    scope: null,
    summary: 'A file of a message, for whoever it was sent to; pictures as JPEG',
    kind: 'file',
    query: { ...bySent, file: uuid, size: z.enum(['full', 'preview']).default('full') },
  }),
};
