import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { images, sampleService, type Image } from '../../../shared/contracts/images.ts';
import { services, type Service } from '../../../shared/contracts/services.ts';
import { fetchServices } from '../../lib/session.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import ToastArea from '../../ui/toast-area.tsx';
import { ImageGallery } from './image-gallery.tsx';

beforeEach(() => signIn(anOwner));

const anImage = (prompt: string): Image => ({
  uuid: crypto.randomUUID(),
  batch: crypto.randomUUID(),
  prompt,
  service: { uuid: sampleService, name: 'Sample' },
  width: 1024,
  height: 1024,
  seed: 1,
  references: [],
  masked: false,
  status: 'canceled',
  cost: 0,
  ownKey: false,
  error: null,
  by: 'hanako',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
});

/** A gallery on a server that keeps what it cannot throw away; `gone` was thrown away by somebody else a moment ago. */
async function aGallery({ stuck, gone }: { stuck: string; gone: string }) {
  let kept = ['hills', 'cup', 'waves', 'town'].map(anImage);
  const trash: Image[] = [];
  const last = (url: URL, from: number) => url.pathname.split('/').at(from);
  serve(images.list, () => ({ data: kept, meta: { nextCursor: null, total: kept.length, cost: 0 } }));
  serve(images.remove, ({ url }) => {
    const image = kept.find(({ uuid }) => uuid === last(url, -1));
    if (image?.prompt === stuck) return refusal(429, { code: 'too-many-requests', message: 'Please wait 60 seconds.' });
    kept = kept.filter((each) => each !== image);
    if (image) trash.push(image);
    return image && image.prompt !== gone
      ? { ok: true as const }
      : refusal(404, { code: 'image-not-found', message: 'No such picture.' });
  });
  const restored = serve(images.restore, ({ url }) => {
    const image = trash.find(({ uuid }) => uuid === last(url, -2)) ?? anImage('nothing');
    kept = [...kept, image];
    return { data: image };
  });
  const shown = await showRouted(
    <>
      <ImageGallery shown={undefined} onShow={() => {}} />
      <ToastArea />
    </>,
  );
  await screen.findByRole('list', { name: 'Images' });
  return { ...shown, restored };
}

const theSample: Service = {
  uuid: sampleService,
  name: 'Sample',
  group: 'image-model',
  avatar: { url: '/sample.svg' },
  provider: 'built-in',
  modelId: 'sample',
  capabilities: ['mask'],
  contextTokens: 0,
  price: null,
  imagePrice: 0,
  vendor: null,
  pricedAt: null,
  key: 'none',
  availability: 'ready',
  reason: null,
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
};

/** A gallery with nothing in it yet, and what is drawn. */
async function aNewGallery() {
  serve(images.list, () => ({ data: [], meta: { nextCursor: null, total: 0, cost: 0 } }));
  serve(services.list, () => [theSample]);
  await fetchServices();
  const drawn = serve(images.create, () => ({ data: [] }));
  const { user } = await showRouted(<ImageGallery shown={undefined} onShow={() => {}} />);
  return { user, drawn };
}

const named = () => screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'));

test('of pictures that are thrown away, what went has an undo, and what could not go stays selected and is told once', async () => {
  const { user, restored } = await aGallery({ stuck: 'cup', gone: 'waves' });
  for (const prompt of ['hills', 'cup', 'waves', 'town'])
    await user.click(screen.getByRole('checkbox', { name: `Select: ${prompt}` }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));

  await screen.findByText('1 image was not deleted: Please wait 60 seconds.');
  await waitFor(() => expect(named()).toEqual(['Select: cup']));
  expect(screen.getByRole('toolbar', { name: '1 selected' })).toBeDefined();
  expect(screen.getByText('3 images are in the trash for 30 days')).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(restored).toHaveLength(3));
});

test('Shift selects all between, a click on a picture selects while any is selected, and Escape ends it', async () => {
  const { user } = await aGallery({ stuck: '', gone: '' });
  await user.click(screen.getByRole('checkbox', { name: 'Select: hills' }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select: waves' }));
  await user.keyboard('{/Shift}');
  await screen.findByRole('toolbar', { name: '3 selected' });
  await user.click(screen.getByRole('button', { name: 'Select: town' }));
  await screen.findByRole('toolbar', { name: '4 selected' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
});

test('small pictures that come into sight together are asked for in one call, and the place of one that is none stays blank', async () => {
  const kept = ['hills', 'cup', 'waves'].map((prompt): Image => ({ ...anImage(prompt), status: 'done' }));
  serve(images.list, () => ({ data: kept, meta: { nextCursor: null, total: kept.length, cost: 0 } }));
  const calls = serve(images.thumbs, ({ url }) => {
    const each = (url.searchParams.get('uuids') ?? '').split(',').map((uuid) => {
      const at = kept.findIndex((image) => image.uuid === uuid);
      return at === 1 ? [0, 0, 0, 0] : [0, 0, 0, 2, at, 255];
    });
    return new Response(new Uint8Array(each.flat()));
  });
  await showRouted(<ImageGallery shown={undefined} onShow={() => {}} />);
  const pictureOf = (prompt: string) => screen.getByRole('button', { name: `Open: ${prompt}` }).querySelector('img');
  await waitFor(() => expect(pictureOf('waves')?.src).toBe('data:image/webp;base64,Av8='));
  expect(pictureOf('hills')?.src).toBe('data:image/webp;base64,AP8=');
  expect(pictureOf('cup')).toBeNull();
  expect(calls).toHaveLength(1);
});

test('an example puts its words where one writes and draws nothing; the sample then draws what was shown, and other words by chance', async () => {
  const { user, drawn } = await aNewGallery();
  const draw = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Generate' });
  const example = await screen.findByRole('button', { name: 'A steaming cup of coffee' });
  expect(draw().disabled).toBe(true);
  await user.click(example);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(field.value).toBe('A steaming cup of coffee');
  expect(document.activeElement).toBe(field);
  expect(drawn).toHaveLength(0);

  await user.click(draw());
  await waitFor(() => expect(drawn).toHaveLength(1));
  expect(drawn[0]?.body).toMatchObject({ prompt: 'A steaming cup of coffee', service: sampleService, seed: 1 });

  await user.click(example);
  await user.type(field, ', in blue{Enter}');
  await waitFor(() => expect(drawn).toHaveLength(2));
  expect(drawn[1]?.body).toMatchObject({ prompt: 'A steaming cup of coffee, in blue' });
  expect(drawn[1]?.body).not.toHaveProperty('seed');
});

test('ratio and number are chosen from small lists and go along', async () => {
  const { user, drawn } = await aNewGallery();
  await user.click(await screen.findByRole('combobox', { name: 'Ratio' }));
  await user.click(await screen.findByRole('option', { name: 'Landscape (3:2)' }));
  await user.click(screen.getByRole('combobox', { name: 'Number of images' }));
  await user.click(await screen.findByRole('option', { name: '4 images' }));
  await user.type(screen.getByRole('textbox', { name: 'Prompt' }), 'Hills{Enter}');
  await waitFor(() => expect(drawn).toHaveLength(1));
  expect(drawn[0]?.body).toMatchObject({ prompt: 'Hills', size: '1536x1024', count: 4 });
});
