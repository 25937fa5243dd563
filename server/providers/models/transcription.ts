import { z } from 'zod';
import { storable } from '../../../shared/text.ts';
import type { Access, ModelInfo, Transcription } from './model.ts';
import { askJson, type Timeouts } from './wire.ts';

const Models = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** A model that writes down what is said and does nothing else, as the list of services has it. */
export const asTranscriber = (id: string, name = id): ModelInfo => ({
  id,
  name,
  group: 'other',
  contextTokens: 0,
  capabilities: [],
});

/** What answers nothing but what is said, which lists tell by nothing but its name. */
export const onlyTranscribes = /transcri|whisper|parakeet|\basr\b/i;
/** What answers as well. */
const alsoTranscribes = /voxtral/i;
/** They listen to what goes on, write in another language, or want to be told how to tell speakers apart. */
const transcribesNot = /realtime|live|translat|diarize/i;
/** What does nothing but that. */
export const isTranscriber = (id: string): boolean => onlyTranscribes.test(id) && !transcribesNot.test(id);

/** The one that OpenAI recommends; those before it end on February 26, 2027: https://developers.openai.com/api/docs/guides/speech-to-text */
const best = 'gpt-transcribe';

/** What Whisper writes where nothing is said, since films end with it: https://github.com/openai/whisper/discussions/679 */
const nothing = /^(?:ご視聴ありがとうございま(?:した|す)|thank(?:s| you) for watching)[。.!！]?$/i;

/** Far above what five minutes take. */
const counted = z.int().nonnegative().max(10_000_000);

const Answer = z.object({
  text: z.string(),
  /** Tokens, or seconds of the recording; many servers tell neither. */
  usage: z.object({ input_tokens: counted, output_tokens: counted }).optional().catch(undefined),
});

/**
 * What is said, by OpenAI's API, which Groq, vLLM, LocalAI, speaches and others have as well: `multipart/form-data` with `file`, whose
 * name says of which kind it is (m4a, mp3, wav, webm and others, at most 25 MB), `model`, and `response_format`, of which `json` is the
 * one that all models have. The language is left to the model: OpenAI's own differ in how they want to be told of it.
 * https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
export const transcription = (
  access: Access,
  { urlOf, headers, timeouts }: { urlOf(path: string): string; headers: Record<string, string>; timeouts: Timeouts },
): Transcription => ({
  async listModels(signal) {
    const { data } = await askJson(access, { url: urlOf('/models'), headers, signal, idleMs: timeouts.idleMs }, Models);
    return data
      .map(({ id }) => id)
      .filter((id) => isTranscriber(id) || (alsoTranscribes.test(id) && !transcribesNot.test(id)))
      .toSorted((one, other) => Number(other === best) - Number(one === best) || one.localeCompare(other));
  },
  async transcribe({ model, recording: { name, mime, bytes } }, signal) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: mime }), name);
    form.set('model', model);
    form.set('response_format', 'json');
    const packed = new Response(form);
    const { text: written, usage } = await askJson(
      access,
      {
        url: urlOf('/audio/transcriptions'),
        headers: { ...headers, 'content-type': packed.headers.get('content-type') ?? '' },
        body: Buffer.from(await packed.arrayBuffer()),
        signal,
        idleMs: timeouts.startMs,
      },
      Answer,
    );
    const text = storable(written).trim();
    return {
      text: nothing.test(text) ? '' : text,
      tokens: { tokensIn: usage?.input_tokens ?? 0, tokensOut: usage?.output_tokens ?? 0, tokensCached: 0 },
    };
  },
});
