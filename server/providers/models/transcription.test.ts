import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { allOf, hasty, never, providers } from '../../testing/models/collect.ts';
import { goodKey, json, startDouble, type Double } from '../../testing/models/double.ts';
import { wires } from '../../testing/models/wires.ts';

describe.each(wires.filter(({ transcribers }) => transcribers))('$name, of what is said,', (wire) => {
  const [model = ''] = wire.transcribers ?? [];
  const recording = { name: 'audio.m4a', mime: 'audio/x-m4a', bytes: new Uint8Array([1, 2, 3]) };
  let double: Double;
  beforeAll(async () => {
    double = await startDouble(wire);
  });
  afterAll(() => double.stop());

  const connect = ({ apiKey = goodKey, ...access } = {}, of = providers) =>
    of
      .find(({ name }) => name === wire.name)!
      .connect({ apiKey, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]), ...access })
      .transcription!;
  const transcribe = (more: { model?: string } = {}, signal = never, connection = connect()) =>
    connection.transcribe({ model, recording, ...more }, signal);

  test('gives the words alone, and what it counted', async () => {
    double.hear({ text: '  Are you open on Sunday?\n', usage: { type: 'tokens', input_tokens: 42, output_tokens: 9 } });
    expect(await transcribe()).toEqual({
      text: 'Are you open on Sunday?',
      tokens: { tokensIn: 42, tokensOut: 9, tokensCached: 0 },
    });
    const { file, ...fields } = Object(double.last().body);
    expect(fields).toEqual({ model, response_format: 'json' });
    expect([file.name, file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
      recording.name,
      recording.mime,
      recording.bytes,
    ]);
  });

  test.each([[{}], [{ usage: { type: 'duration', seconds: 3 } }], [{ usage: null }]])(
    'takes %o as no tokens',
    async (more) => {
      double.hear({ text: 'Hello', ...more });
      expect((await transcribe()).tokens).toEqual({ tokensIn: 0, tokensOut: 0, tokensCached: 0 });
    },
  );

  test.each(['', ' \n', 'ご視聴ありがとうございました。', 'Thank you for watching!'])(
    'hears nothing in “%s”',
    async (text) => {
      double.hear({ text });
      expect((await transcribe()).text).toBe('');
    },
  );

  test('keeps what is said around such words, and nothing that cannot be stored', async () => {
    for (const [said, text] of [
      ['Thank you for watching my dog', 'Thank you for watching my dog'],
      ['a\u0000b\ud800', 'ab\ufffd'],
    ] as const) {
      double.hear({ text: said });
      expect((await transcribe()).text).toBe(text);
    }
  });

  test('names the models that can, the best first', async () => {
    expect(await connect().listModels(never)).toEqual(wire.transcribers);
  });

  test('fails as an answer does, and without the key in it', async () => {
    const fails = (error: unknown) =>
      error instanceof AppError && !allOf(error).includes(goodKey) ? error.code : error;
    expect(await transcribe({ model: 'gpt-unknown' }).catch(fails)).toBe('provider-refused');
    expect(await transcribe({}, never, connect({ apiKey: 'sk-wrong' })).catch(fails)).toBe('provider-key-rejected');
    for (const { status, body, code } of wire.refusals) {
      double.hear(({ response }) => json(response, status, body));
      expect(await transcribe().catch(fails)).toBe(code);
    }
    for (const [status, body, code] of [
      [200, { nothing: true }, 'provider-answer-unreadable'],
      [200, { text: 'x'.repeat(5 * 1024 * 1024) }, 'provider-answer-unreadable'],
      [503, {}, 'provider-busy'],
      [500, { error: { message: `The key ${goodKey} is fine.` } }, 'provider-failed'],
    ] as const) {
      double.hear(({ response }) => json(response, status, body));
      expect(await transcribe().catch(fails)).toBe(code);
    }
  });

  test('goes nowhere else', async () => {
    const before = double.received.length;
    double.hear(({ response }) => void response.writeHead(307, { location: `${double.url}/elsewhere` }).end());
    await expect(transcribe()).rejects.toMatchObject({ code: 'provider-refused' });
    expect(double.received).toHaveLength(before + 1);
  });

  test('is not waited for longer than is wanted, and the connection is closed', async () => {
    double.hear(() => {});
    const leaving = new AbortController();
    const asked = transcribe({}, leaving.signal);
    await vi.waitFor(() => expect(double.heard().at(-1)?.closedAt).toBe(0));
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    await vi.waitFor(() => expect(double.last().closedAt).toBeGreaterThan(0));
    const silent = transcribe({}, never, connect({}, hasty));
    await expect(silent).rejects.toMatchObject({ code: 'provider-timeout' });
  });
});
