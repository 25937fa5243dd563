import { z } from 'zod';
import { text } from './text.ts';

export const labelLimits = { tags: 20, tag: 40, fields: 20, name: 40, value: 200 };

/** What documents are filed under: tags, and fields with a value each. As a filter, a document has to have all of them. */
export const Labels = z.strictObject({
  tags: z.array(text(labelLimits.tag)).max(labelLimits.tags),
  fields: z
    .array(z.strictObject({ name: text(labelLimits.name), value: text(labelLimits.value) }))
    .max(labelLimits.fields),
});
export type Labels = z.output<typeof Labels>;

/** The same, where what is left out is none. */
export const GivenLabels = z.strictObject({
  tags: Labels.shape.tags.default([]),
  fields: Labels.shape.fields.default([]),
});

export const noLabels: Labels = { tags: [], fields: [] };
