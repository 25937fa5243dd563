import { richMessages as contract } from '../../../shared/contracts/rich-messages.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { addImage, sweepImages } from './images.ts';
import { richMessageRoutes } from './rich-messages.routes.ts';
import { createRich, exportAllRich } from './rich-messages.ts';
import { deleteRichOf } from './rich-messages.store.ts';

const audit = ['rich-message.deleted'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Rich messages of LINE: pictures with areas, cards, flex messages, and the pictures that LINE fetches for them. */
export const richMessages: Feature = {
  name: 'rich-messages',
  tables: ['rich_message', 'rich_image'],
  contracts: [contract],
  routes: richMessageRoutes,
  notFound: { 'rich-message': 'rich-not-found', image: 'file-not-found' },
  audit,
  recurring: (context) => [
    { name: 'rich-images.sweep', everyMs: hourMs, run: (signal) => sweepImages(context, signal) },
  ],
  examples: async (context, caller) => {
    const contents = {
      type: 'bubble',
      body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: 'Hi' }] },
    };
    const { uuid } = await createRich(context, caller, { name: 'Hi', draft: { kind: 'flex', alt: 'Hi', contents } });
    const { uuid: image } = await addImage(context, caller, Buffer.from(dot, 'base64'));
    return { 'rich-message': uuid, image, ':image': '240' };
  },
  workspace: { erase: (trx, workspace) => deleteRichOf(trx, workspace), export: exportAllRich },
};
