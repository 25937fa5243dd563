import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lineMenus, type RichMenu } from '../../../shared/contracts/line-menus.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { MenuList } from './menu-list.tsx';

beforeEach(() => signIn(anOwner));

const channel = { uuid: crypto.randomUUID(), name: 'Hinata Coffee' };
const at = '2026-11-01T09:00:00.000Z';
const aMenu = (name: string, changes: Partial<RichMenu> = {}): RichMenu => ({
  uuid: crypto.randomUUID(),
  channel: channel.uuid,
  menu: { name, chatBarText: 'Menu', selected: true, size: { width: 2500, height: 1686 }, areas: [] },
  problems: [],
  image: null,
  place: 0,
  default: false,
  tags: ['regulars'],
  people: [],
  from: null,
  to: null,
  state: 'draft',
  reason: null,
  detail: '',
  published: null,
  alias: name.toLowerCase(),
  createdAt: at,
  updatedAt: at,
  ...changes,
});
const noImage = { code: 'line-menu-image', level: 'error' } as const;
const noAction = { code: 'line-menu-action', level: 'error', area: 0 } as const;

test('each menu has one next step: go on with what is begun, choose who sees it, publish, or none', async () => {
  const menus = [
    aMenu('Begun', { problems: [noImage, noAction] }),
    aMenu('Undrawn', { problems: [noImage] }),
    aMenu('Unseen', { tags: [] }),
    aMenu('Ready'),
    aMenu('Everyday', {
      default: true,
      tags: [],
      state: 'live',
      published: { lineId: 'richmenu-1', at, changed: false },
    }),
  ];
  serve(lineMenus.list, () => ({ data: menus, meta: { nextCursor: null } }));
  await showRouted(<MenuList channel={channel} />);
  const rows = await screen.findAllByRole('listitem');
  // Only one is on LINE, so there is nothing to number.
  expect(rows.map((row) => row.textContent?.match(/^\d/)?.[0])).toEqual(Array(5).fill(undefined));
  // What friends see stands first.
  const [everyday, begun, undrawn, unseen, ready] = rows.map((row) => within(row));
  const editor = (at: number) => `/Line-Channel/${channel.uuid}/Rich-Menu/${menus[at]?.uuid}`;
  const finish = begun?.getByRole('link', { name: 'Continue editing “Begun”' });
  expect(finish?.getAttribute('href')).toBe(`${editor(0)}?part=areas`);
  expect(undrawn?.getByRole('link', { name: 'Continue editing “Undrawn”' }).getAttribute('href')).toBe(
    `${editor(1)}?part=picture`,
  );
  begun?.getByText('Still needed: image and actions');
  unseen?.getByText('Still needed: audience');
  expect(unseen?.getByRole('link', { name: 'Choose audience' }).getAttribute('href')).toBe(
    `${editor(2)}?part=settings`,
  );
  ready?.getByText('Ready to publish');
  ready?.getByRole('button', { name: 'Publish' });
  expect(everyday?.queryByRole('button', { name: /Publish/ })).toBeNull();
  everyday?.getByRole('button', { name: 'Statistics' });
  expect(everyday?.getByRole('link', { name: 'Edit “Everyday”' }).getAttribute('href')).toBe(editor(4));
  expect(everyday?.getByText('Everyone')).toBeTruthy();
  // Nothing is in an order that counts, and there is nothing to explain.
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  expect(screen.queryByText(/first menu they match/)).toBeNull();
});

test('the usual menu stands last, one of a season for everyone comes before it, and both keep their places', async () => {
  const everyone = {
    default: true,
    tags: [],
    state: 'live' as const,
    published: { lineId: 'richmenu-1', at, changed: false },
  };
  const menus = [
    aMenu('Usual', everyone),
    aMenu('Members', { state: 'live', published: everyone.published }),
    aMenu('Idea'),
    aMenu('Summer', { ...everyone, from: at, to: '2999-01-01T00:00:00.000Z' }),
  ].map((menu, place) => ({ ...menu, place }));
  serve(lineMenus.list, () => ({ data: menus, meta: { nextCursor: null } }));
  const sent = serve(lineMenus.update, () => ({ data: aMenu('Saved') }));
  await showRouted(<MenuList channel={channel} />);
  const names = () => screen.getAllByRole('listitem').map((row) => within(row).getAllByRole('link')[0]?.textContent);
  await screen.findAllByRole('listitem');
  expect(names()).toEqual(['Members', 'Summer', 'Usual', 'Idea']);
  expect(screen.getByText('“Summer”').parentElement?.textContent).toBe(
    'Each person sees the first menu they match. Everyone else sees “Summer”.',
  );
  // A draft has no number: LINE does not have it.
  expect(screen.getAllByRole('listitem').map((row) => row.textContent?.match(/^\d/)?.[0])).toEqual([
    '1',
    '2',
    '3',
    undefined,
  ]);
  // There is no place after the last that moves.
  fireEvent.keyDown(screen.getByRole('button', { name: 'Move Summer' }), { key: 'ArrowDown' });
  expect(screen.queryByText(/is now at place/)).toBeNull();
  fireEvent.keyDown(screen.getByRole('button', { name: 'Move Summer' }), { key: 'ArrowUp' });
  expect(names()).toEqual(['Summer', 'Members', 'Usual', 'Idea']);
  // The drafts follow; what stands where it stood is not sent.
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ place: 0 }, { place: 2 }, { place: 3 }]));
});

test('what is on LINE and lacks something by now says so, and where nobody has one for everyone that is told', async () => {
  const published = { lineId: 'richmenu-1', at, changed: false };
  serve(lineMenus.list, () => ({
    data: [aMenu('Lunch', { state: 'live', published, problems: [noAction] })],
    meta: { nextCursor: null },
  }));
  await showRouted(<MenuList channel={channel} />);
  await screen.findByText('Still needed: actions');
  expect(screen.getByText('No menu is shown to everyone yet.')).toBeTruthy();
});

const bounds = { x: 0, y: 0, width: 1250, height: 1686 };
const leadingTo = (menu: string): RichMenu['menu']['areas'][number] => ({
  bounds,
  action: { type: 'richmenuswitch', menu, label: 'Next' },
});

test('a menu with tabs is published after all its pages were shown', async () => {
  const third = aMenu('Access', { state: 'live', published: { lineId: 'richmenu-3', at, changed: false } });
  const second = aMenu('Food');
  second.menu.areas.push(leadingTo(third.uuid));
  const first = aMenu('Start');
  first.menu.areas.push(leadingTo(second.uuid));
  serve(lineMenus.list, () => ({ data: [first, second, third], meta: { nextCursor: null } }));
  const sent = serve(lineMenus.publish, () => ({ data: [first, second] }));
  const { user } = await showRouted(<MenuList channel={channel} />);
  const rows = await screen.findAllByRole('listitem');
  const row = rows.find((each) => within(each).queryByText('Start')) ?? expect.fail('no such menu');
  await user.click(within(row).getByRole('button', { name: 'Publish' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish 3 menus?' }));
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'StartGoes to LINE',
    'FoodGoes to LINE',
    'AccessOn LINE already, stays as it is',
  ]);
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ menus: [first.uuid, second.uuid] }]));
});

test('a menu that says what its example says is not published', async () => {
  const menu = aMenu('Ready');
  menu.menu.areas.push({ bounds, action: { type: 'message', label: 'Reserve', text: 'I would like to reserve.' } });
  serve(lineMenus.list, () => ({ data: [menu], meta: { nextCursor: null } }));
  const sent = serve(lineMenus.publish, () => ({ data: [menu] }));
  const { user } = await showRouted(<MenuList channel={channel} />);
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Not finished yet' }));
  dialog.getByText(/This is still the example text/);
  expect(sent).toEqual([]);
});
