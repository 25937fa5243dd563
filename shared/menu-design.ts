import { z } from 'zod';
import { isStorable } from './text.ts';

/** As #007a0a. */
const color = z.string().regex(/^#[0-9a-f]{6}$/, 'color-invalid');

/** Beyond this a design is refused; nearly all of it may be its picture. */
const maxUnits = 50_000;

/**
 * How the picture of a rich menu was drawn here, so that it can be drawn again. LINE gets only the picture. Lengths are those of a
 * menu that is 2,500 pixels wide.
 */
export const MenuDesign = z
  .strictObject({
    /** Between and behind the cells. */
    ground: color,
    /** Behind the cells, instead of a color. */
    picture: z
      .string()
      .max(maxUnits)
      .regex(/^data:image\/(?:jpeg|webp);base64,[\d+/=A-Za-z]+$/)
      .nullable(),
    gap: z.int().min(0).max(120),
    radius: z.int().min(0).max(240),
    /** One for each area, in their order. */
    cells: z
      .array(
        z.strictObject({
          /** What is behind it is seen where it has none. */
          fill: color.nullable(),
          ink: color,
          icon: z.string().max(40).nullable(),
          /** Null: what the area itself says. */
          label: z.string().max(120).refine(isStorable, 'not-storable').nullable(),
          size: z.int().min(40).max(320),
          bold: z.boolean(),
        }),
      )
      .max(20),
  })
  .refine((design) => JSON.stringify(design).length <= maxUnits, 'too-long');
export type MenuDesign = z.output<typeof MenuDesign>;
export type DesignCell = MenuDesign['cells'][number];
