import type { BodyIn } from '../shared/route.ts';
import type { visitors } from '../shared/contracts/visitors.ts';

/** What the page around the widget says about its visitor. */
export type Identified = NonNullable<BodyIn<typeof visitors.begin>['identify']>;

/** What the page keeps for its frames from one page to the next. */
export interface OfFrame {
  /** 0 where no conversation is open that may still get an answer; until when one may stand open on the next page by itself. */
  liveUntil?: number;
  /** By their keys the values that the frame could not keep itself. */
  frame?: Record<string, string> | undefined;
  /** When the page last signed its visitor out: told each frame, since one may not be there yet. */
  reset?: number;
}

/** What the frame tells the page around it. `hello` asks for `init`; what is not for the launcher goes on to whoever listens. */
export type FromFrame =
  | { kotae: 'hello' | 'close'; detail?: undefined }
  | { kotae: 'unread'; detail: number }
  | { kotae: 'keep'; detail: OfFrame }
  | { kotae: 'message'; detail: { role: string; text: string } };

/** What the page around it tells the frame: how things are now. `init` comes again when another tab has kept something. */
export interface ToFrame {
  kotae: 'init' | 'shown' | 'identify';
  isOpen: boolean;
  page: string;
  identify: Identified | undefined;
  kept: OfFrame;
}
