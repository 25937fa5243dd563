import { z } from 'zod';
import { readBytes } from '../../infra/outbound.ts';
import { broken, fromBase64, maxAnswer } from './drawing.ts';
import { providerError, type Access, type Drawing, type DrawRequest } from './model.ts';
import { ask, checkKey, parseJson, refusal, sentence, type Timeouts } from './wire.ts';

const Answer = z.object({
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  candidates: z
    .array(
      z.object({
        finishReason: z.string().nullish(),
        content: z
          .object({
            parts: z
              .array(
                z.object({
                  text: z.string().nullish(),
                  thought: z.boolean().nullish(),
                  inlineData: z.object({ data: z.string() }).nullish(),
                }),
              )
              .default([]),
          })
          .nullish(),
      }),
    )
    .default([]),
});

/**
 * Pictures by Gemini's models that draw: `generateContent` that may answer with pictures only, of a shape rather than a size, with the
 * references beside the words. What it draws while it thinks is not the picture. There is no seed that it keeps to, and no states on
 * the way. Where it draws nothing it says why in words, or by the reason that it ended for.
 * https://ai.google.dev/gemini-api/docs/image-generation
 */
export const googleDrawing = (
  access: Access,
  { baseUrl, headers, timeouts }: { baseUrl: string; headers: Record<string, string>; timeouts: Timeouts },
): Drawing => ({
  async *draw(request, signal) {
    checkKey(access);
    const response = await ask(access, {
      url: `${baseUrl}/models/${encodeURIComponent(request.model)}:generateContent`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(toBody(request)),
      signal,
      idleMs: timeouts.startMs,
    });
    if (response.status !== 200) throw await refusal(response, access);
    try {
      const text = (await readBytes(response, maxAnswer)).toString('utf8');
      yield { type: 'picture', bytes: pictureOf(parseJson(text), access) };
    } catch (error) {
      throw broken(error, signal);
    } finally {
      response.body.destroy();
    }
  },
});

const toBody = ({ prompt, width, height, references = [] }: DrawRequest) => ({
  contents: [
    {
      role: 'user',
      parts: [
        { text: prompt },
        ...references.map(({ mime, bytes }) => ({
          inlineData: { mimeType: mime, data: Buffer.from(bytes).toString('base64') },
        })),
      ],
    },
  ],
  generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: shapeOf(width, height) } },
});

const shapeOf = (width: number, height: number) => (width === height ? '1:1' : width > height ? '3:2' : '2:3');

function pictureOf(answer: unknown, access: Access): Buffer {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) throw providerError('provider-answer-unreadable');
  const { promptFeedback, candidates } = parsed.data;
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []).filter(({ thought }) => !thought);
  const picture = parts.findLast(({ inlineData }) => inlineData)?.inlineData;
  if (picture) return fromBase64(picture.data);
  const said = parts.flatMap(({ text }) => text ?? []).join(' ');
  const ended = candidates.find(({ finishReason }) => finishReason && finishReason !== 'STOP')?.finishReason;
  const reason = promptFeedback?.blockReason ?? (said || ended);
  if (!reason) throw providerError('provider-answer-unreadable');
  throw providerError('provider-refused', { reason: sentence(reason, access) });
}
