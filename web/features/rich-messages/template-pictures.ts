import { __iconNode as bag } from '@tabler/icons-react/dist/esm/icons/IconShoppingBag.mjs';
import { __iconNode as cake } from '@tabler/icons-react/dist/esm/icons/IconCake.mjs';
import { __iconNode as calendar } from '@tabler/icons-react/dist/esm/icons/IconCalendarEvent.mjs';
import { __iconNode as coffee } from '@tabler/icons-react/dist/esm/icons/IconCoffee.mjs';
import { __iconNode as kitchen } from '@tabler/icons-react/dist/esm/icons/IconToolsKitchen2.mjs';
import { __iconNode as pin } from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs';
import { __iconNode as shirt } from '@tabler/icons-react/dist/esm/icons/IconShirt.mjs';
import { __iconNode as smile } from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import { imagemapWidth } from '../../../shared/rich-line.ts';
import type { CardsDraft, Picture } from '../../../shared/rich-message.ts';
import { uploadRichImage } from './rich-messages.queries.ts';

const partsOf = (icon: typeof bag) => icon.flatMap(([, { d }]) => d ?? []);
const strawHat = [
  'M3 16c0 1.7 4 3 9 3s9 -1.3 9 -3c0 -1.2 -1.6 -1.7 -4.2 -2c-.3 -5 -1.5 -8.5 -4.8 -8.5s-4.5 3.5 -4.8 8.5c-2.6 .3 -4.2 .8 -4.2 2z',
  'M7.2 14c1.2 .7 2.9 1 4.8 1s3.6 -.3 4.8 -1',
];

/** Of each template's cards in their order, drawn on 24 × 24. A bill needs none. */
const motifs = new Map([
  ['hours', [partsOf(pin)]],
  ['menu', [partsOf(kitchen), partsOf(cake)]],
  ['booking', [partsOf(calendar)]],
  ['arrival', [partsOf(shirt), partsOf(bag), strawHat]],
  ['event', [partsOf(coffee)]],
  ['survey', [partsOf(smile)]],
]);

const heights: Record<CardsDraft['ratio'], number> = { wide: 676, square: 1040, tall: 1386 };

/** The cards of a template, each with a picture of its own to begin with. */
export async function withPictures(id: string, draft: CardsDraft): Promise<CardsDraft> {
  const pictures = await Promise.all((motifs.get(id) ?? []).map((motif) => makePicture(motif, draft)));
  return { ...draft, cards: draft.cards.map((card, at) => ({ ...card, picture: pictures[at] ?? null })) };
}

async function makePicture(motif: string[], { color, ratio }: CardsDraft): Promise<Picture> {
  const [width, height] = [imagemapWidth, heights[ratio]];
  const canvas = new OffscreenCanvas(width, height);
  const paper = canvas.getContext('2d');
  if (!paper) throw new Error('This browser draws no pictures.');
  paper.fillStyle = '#ffffff';
  paper.fillRect(0, 0, width, height);
  const disc = (x: number, y: number, radius: number, strength: number) => {
    paper.globalAlpha = strength;
    paper.beginPath();
    paper.arc(x, y, radius, 0, 2 * Math.PI);
    paper.fill();
  };
  paper.fillStyle = color;
  paper.globalAlpha = 0.14;
  paper.fillRect(0, 0, width, height);
  disc(width * 0.92, height * 0.06, height * 0.42, 0.1);
  disc(width * 0.06, height, height * 0.36, 0.1);
  disc(width / 2, height / 2, height * 0.34, 1);
  const side = height * 0.38;
  paper.translate((width - side) / 2, (height - side) / 2);
  paper.scale(side / 24, side / 24);
  Object.assign(paper, { strokeStyle: '#ffffff', lineWidth: 1.5, lineCap: 'round', lineJoin: 'round' });
  for (const part of motif) paper.stroke(new Path2D(part));
  return uploadRichImage(new File([await canvas.convertToBlob()], 'card.png', { type: 'image/png' }));
}
