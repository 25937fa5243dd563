import type { BodyIn } from '../shared/route.ts';
import type { visitors } from '../shared/contracts/visitors.ts';

/** What the page around the widget says about its visitor. */
export type Identified = NonNullable<BodyIn<typeof visitors.begin>['identify']>;

/** What the frame tells the page around it. `hello` asks for `init`; what is not for the launcher goes on to whoever listens. */
export type FromFrame =
  | { kotae: 'hello' | 'close'; detail?: undefined }
  | { kotae: 'unread'; detail: number }
  /** Whether a conversation is open that may still get an answer. */
  | { kotae: 'live'; detail: boolean }
  | { kotae: 'message'; detail: { role: string; text: string } };

/** What the page around it tells the frame: how things are now. */
export interface ToFrame {
  kotae: 'init' | 'shown' | 'identify';
  isOpen: boolean;
  page: string;
  identify: Identified | undefined;
  /** When the page last signed its visitor out. */
  reset: number | undefined;
}
