import { bots } from '../shared/contracts/bots.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import { modelKeys } from '../shared/contracts/services.ts';
import { goodKey, startDouble } from '../server/testing/models/double.ts';
import { wire } from '../server/testing/models/openai-compatible.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae } from './server.ts';

/** A second of silence, as WAV. */
const silence = Buffer.alloc(44 + 16_000, 128);
silence.write('RIFF');
silence.writeUInt32LE(36 + 16_000, 4);
silence.write('WAVEfmt ', 8);
Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 128, 62, 0, 0, 128, 62, 0, 0, 1, 0, 8, 0]).copy(silence, 16);
silence.write('data', 36);
silence.writeUInt32LE(16_000, 40);

test('a maker chooses what transcribes voice messages, and the team reads what a friend says', async ({
  page,
  line,
}) => {
  const vendor = await startDouble(wire);
  const kotae = await openKotae({
    LINE_API_URL: line.url,
    ALLOW_PRIVATE_HOSTS: [line.url, vendor.url].map((url) => new URL(url).host).join(),
  });
  const complaints = complaintsOf(page);
  try {
    const jwt = await arrive(page, kotae.url);
    const bot = (await callApi(kotae.url, bots.create, { body: { name: 'Shop guide' }, jwt })).data.uuid;
    await callApi(kotae.url, bots.publish, { params: { uuid: bot }, body: { note: '' }, jwt });
    const { id: channelId, secret } = line.channel;
    const { uuid } = (await callApi(kotae.url, lineChannels.connect, { body: { channelId, secret, bot }, jwt })).data;
    line.webhook.isActive = true;
    await callApi(kotae.url, lineChannels.sync, { params: { uuid }, jwt });

    const settings = `${kotae.url}/Line-Channel/${uuid}?tab=settings`;
    await page.goto(settings);
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Voice messages' }) });
    await expect(section.getByRole('link', { name: 'Add a model key' })).toBeVisible();
    await expectAccessible(page);
    const body = { provider: 'openai-compatible', name: 'Lab', baseUrl: vendor.url, apiKey: goodKey };
    await callApi(kotae.url, modelKeys.create, { body, jwt });
    await page.reload();
    await section.getByRole('combobox', { name: 'Transcribe with' }).click();
    await page.getByRole('option', { name: 'Lab' }).click();
    await expect(section.getByRole('combobox', { name: 'Transcription model' })).toHaveValue(
      'Systran/faster-whisper-small',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();

    vendor.hear({ text: 'Is there a table for four people on Sunday, by the window if possible?' });
    const sora = line.user({ name: 'Sora', language: 'en' });
    await sora.voice(silence, { type: 'audio/wav' });
    await page.goto(`${kotae.url}/Friend`);
    await page.getByRole('link', { name: /Sora/ }).click();
    const thread = page.getByRole('region', { name: 'Conversation with Sora' });
    await expect(thread.getByText('Is there a table for four people on Sunday')).toBeVisible();
    await expect(thread.getByText('Transcribed automatically')).toHaveAttribute(
      'title',
      'Transcribed by Systran/faster-whisper-small (Lab)',
    );
    await expect(thread.getByLabel(/^Play audio/)).toBeVisible();
    await expectAccessible(page);

    vendor.hear({ text: '' });
    await sora.voice(silence, { type: 'audio/wav' });
    await page.goto(`${kotae.url}/Line-Channel/${uuid}?tab=events`);
    await expect(page.getByText('No speech was recognized.')).toBeVisible();
    await page.goto(`${kotae.url}/Token`);
    await expect(page.getByText('Voice message transcribed').first()).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of [settings, `${kotae.url}/Friend`]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
    }
    line.mustBeValid();
  } finally {
    await page.close();
    await kotae.close();
    await vendor.stop();
  }
  expect(complaints).toEqual([]);
});
