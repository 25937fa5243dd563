import { setTimeout as sleep } from 'node:timers/promises';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import type { Transcription } from '../../../shared/contracts/services.ts';
import { AppError, errors } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { limit } from '../../infra/limits.ts';
import { providerError } from '../../providers/models/model.ts';
import { readAttached } from '../conversations/attachments.ts';
import type { UsedModel } from '../models/models.ts';
import { enterTranscription, toUse, type Use } from '../usage/ledger.ts';
import type { Guest } from '../users/speaker.ts';
import { updateEvent } from './line-channels.store.ts';
import type { LineChannelTable, LineEventTable } from './line-channels.tables.ts';
import { settingsOf } from './settings.ts';

/** What came of a voice message. */
export interface Heard {
  /** Its words, and the model that has written them down. */
  said?: { text: string; heard: string } | undefined;
  /** Why there are none, for the list of events. */
  reason: string | null;
  /** Enters in the token history what it took, in the transaction in which its event ends. */
  enter(trx: Trx, of: { thread: string | null; message: string | null }): Promise<void>;
}

/** What its event keeps until it ends, so that nobody pays twice for what was interrupted. */
interface Kept {
  /** How often it was begun, counted before each. */
  tries: number;
  text?: string;
  reason?: string;
  use?: Use;
}

export interface Voice {
  recording: Attachment;
  durationMs: number | undefined;
}

interface Said extends Voice {
  stored: LineEventTable;
  guest: Guest;
  signal: AbortSignal;
}

const mostMs = 5 * 60_000;
const mostTries = 2;
const pauseMs = 1_000;
/** How long somebody waits at most, for all tries together. */
const waitMs = 60_000;
/** Nobody says more in five minutes; a model that goes round in circles writes more. */
const mostCharacters = 20_000;

export const voicesHeard = limit(
  'line-voices',
  30,
  3_600,
  'voice messages of one person on LINE that are written down in an hour',
);

/** Has a voice message written down by what its channel has chosen. Throws only what may pass, such as that this process ends. */
export async function hear(context: Context, row: LineChannelTable, voice: Said): Promise<Heard> {
  const { transcription } = settingsOf(row);
  if (!transcription) return nothing('voice-off');
  if ((voice.durationMs ?? 0) > mostMs) return nothing('voice-long');
  const begun: Kept = voice.stored.voice === null ? { tries: 0 } : JSON.parse(voice.stored.voice);
  const isOver = begun.text !== undefined || begun.reason !== undefined;
  const { text, use, reason = 'voice-silent' } = isOver ? begun : await writeDown(context, voice, transcription, begun);
  return {
    ...(text ? { said: { text, heard: use?.service_name ?? '' }, reason: null } : { reason }),
    async enter(trx, of) {
      if (use) await enterTranscription(context, trx, { ...use, ...of });
    },
  };
}

const nothing = (reason: string): Heard => ({ reason, enter: async () => {} });

async function writeDown(
  context: Context,
  { stored, guest, recording, signal }: Said,
  chosen: Transcription,
  { tries }: Kept,
): Promise<Kept> {
  const { db, limits, log, models } = context;
  const keep = async (kept: Kept): Promise<Kept> => {
    await updateEvent(db, stored.uuid, { voice: JSON.stringify(kept) });
    return kept;
  };
  const late = AbortSignal.timeout(waitMs);
  let used: UsedModel | undefined;
  // Each of its tries may have been cut off by the end of a process.
  while (tries < mostTries) {
    try {
      if (tries === 0) await limits.take(voicesHeard, guest.guest);
      const [transcriber, bytes = Buffer.alloc(0)] = await Promise.all([
        models.transcriber(guest.workspace, chosen),
        readAttached(context, recording.uuid),
      ]);
      ({ used } = transcriber);
      await keep({ tries: ++tries });
      const began = Date.now();
      const { name, mime } = recording;
      const { text, tokens } = await transcriber.transcribe({ name, mime, bytes }, AbortSignal.any([signal, late]));
      await models.judge(used, undefined);
      const { use } = toUse({
        speaker: guest,
        message: null,
        channel: guest.channel,
        target: used,
        tokens,
        cost: 0,
        latencyMs: Date.now() - began,
        firstTokenMs: null,
      });
      return await keep({ tries, text: text.slice(0, mostCharacters).toWellFormed(), use });
    } catch (error) {
      signal.throwIfAborted();
      const failure = late.aborted ? providerError('provider-timeout') : error;
      if (!(failure instanceof AppError)) throw failure;
      log.warn({ err: failure, channel: stored.channel, event: stored.uuid }, 'a voice message was not written down');
      if (used) await models.judge(used, failure);
      if (tries % mostTries === 0 || late.aborted || !errors[failure.code].retry)
        return keep({ tries, reason: failure.code });
    }
    await sleep(pauseMs, undefined, { signal });
  }
  return keep({ tries, reason: 'voice-cut' });
}
