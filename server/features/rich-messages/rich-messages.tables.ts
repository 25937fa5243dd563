import type { RichKind } from '../../../shared/rich-line.ts';
import type { Entity, Json } from '../../infra/db.types.ts';

export interface RichMessageTable extends Entity {
  workspace: string;
  name: string;
  kind: RichKind;
  draft: Json;
}

export interface RichImageTable extends Entity {
  workspace: string;
  /** Where it is 1,040 pixels wide. */
  height: number;
  mime: 'image/png' | 'image/jpeg';
  /** The stored file of each width. */
  files: Json;
  /** Since when something that may be sent shows it: from then on it stays, since LINE's apps ask for it for ever. */
  kept_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    rich_message: RichMessageTable;
    rich_image: RichImageTable;
  }
}
