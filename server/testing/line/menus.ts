import sharp from 'sharp';
import { z } from 'zod';
import type { Menu } from './fake-line.ts';
import { maxMenuImageBytes, maxMenus, wrongMenu } from './limits.ts';
import { accepted, canReach, dayMs, done, mistaken, newHex, refused, type Handler, type World } from './world.ts';

/* Rich menus. Where the specification is silent: https://developers.line.biz/en/reference/messaging-api/#rich-menu */

const Action = z.looseObject({ type: z.string() });
const MenuBody = z.object({
  size: z.object({ width: z.number(), height: z.number() }),
  selected: z.boolean(),
  name: z.string(),
  chatBarText: z.string(),
  areas: z.array(
    z.object({
      bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
      action: Action,
    }),
  ),
});
const Alias = z.object({ richMenuAliasId: z.string().optional(), richMenuId: z.string() });
const Bulk = z.object({ richMenuId: z.string().optional(), userIds: z.array(z.string()) });
const Batch = z.object({
  operations: z.array(z.object({ type: z.string(), from: z.string().optional(), to: z.string().optional() })),
});

const noMenu = refused(404, 'Not found');
const noImage = {
  status: 400,
  body: { message: 'must upload richmenu image before applying it to user', details: [] },
};
const withDetails = (status: number, message: string) => ({ status, body: { message, details: [] } });
const invalid = (property: string) => mistaken([{ message: 'invalid richMenuId', property }]);
const isMenuId = (id: string) => /^richmenu-[0-9a-f]{32}$/.test(id);

/** A menu as it is answered: without its picture. */
function told(menu: Menu): Omit<Menu, 'image'> {
  const { image: _, ...rest } = menu;
  return rest;
}

const create: Handler = (world, { body, violate }) => {
  const problems = wrongMenu(body);
  if (problems.length > 0) {
    for (const { property, message } of problems) violate(`${property}: ${message}`);
    return mistaken(problems);
  }
  if (world.menus.size >= maxMenus) return refused(400, 'The maximum number of rich menus has been reached');
  const richMenuId = `richmenu-${newHex()}`;
  world.menus.set(richMenuId, { richMenuId, ...MenuBody.parse(body) });
  return { status: 200, body: { richMenuId } };
};

/** LINE tells what is wrong with the picture in one sentence only. */
const setImage: Handler = async (world, { params, bytes, headers, violate }) => {
  const menu = world.menus.get(params['richMenuId'] ?? '');
  if (!menu) return noMenu;
  const type = String(headers['content-type']);
  if (!['image/png', 'image/jpeg'].includes(type)) {
    violate(`a picture of ${type}`);
    return refused(415, 'Unsupported Media Type');
  }
  if (menu.image) {
    violate('a second picture for a menu');
    return refused(400, 'An image has already been uploaded to the richmenu');
  }
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: '', width: 0, height: 0 }));
  const fits = `image/${format}` === type && width === menu.size.width && height === menu.size.height;
  if (!fits || bytes.length > maxMenuImageBytes) {
    violate(`a picture of ${format} ${width}×${height}, ${bytes.length} bytes, as ${type}`);
    return refused(400, 'The image size is not allowed for richmenu');
  }
  menu.image = { bytes, type };
  world.changed();
  return done;
};

const link: Handler = (world, { params }) => {
  const { userId = '', richMenuId = '' } = params;
  if (!/^U[0-9a-f]{32}$/.test(userId)) return refused(400, "The value for the 'userId' parameter is invalid");
  const menu = world.menus.get(richMenuId);
  if (!menu) return noMenu;
  if (!menu.image) return noImage;
  linkTo(world, [userId], richMenuId);
  return done;
};

/** Nobody is told when a user has blocked the bot or is no friend: the menu is not linked. */
function linkTo(world: World, userIds: string[], richMenuId: string): void {
  for (const userId of userIds) if (canReach(world, userId)) world.links.set(userId, richMenuId);
  world.changed();
}

const batch: Handler = (world, { body, requestId }) => {
  const problem = wrongBatch(world, body);
  if (problem) return problem;
  const { operations } = Batch.parse(body);
  const before = new Map(world.links);
  for (const { type, from, to } of operations)
    for (const [userId, menu] of before) {
      if (type !== 'unlinkAll' && menu !== from) continue;
      if (type === 'link' && to) world.links.set(userId, to);
      else world.links.delete(userId);
    }
  world.batches.set(requestId, world.now());
  world.changed();
  return accepted;
};

function wrongBatch({ menus }: World, body: unknown) {
  const { operations } = Batch.parse(body);
  const froms = operations.flatMap(({ from }) => (from === undefined ? [] : [from]));
  for (const [at, { type, from, to }] of operations.entries()) {
    if (type !== 'unlinkAll' && !isMenuId(from ?? '')) return invalid(`operations[${at}].from`);
    if (type === 'link' && !isMenuId(to ?? '')) return invalid(`operations[${at}].to`);
  }
  const twice = froms.find((from, at) => froms.indexOf(from) !== at);
  if (twice) return mistaken([{ message: `from richmenu (${twice}) is duplicated`, property: 'operations[].from' }]);
  if (operations.length > 1 && operations.some(({ type }) => type === 'unlinkAll'))
    return mistaken([{ message: "'unlinkAll' type can't be combined with other type", property: 'operations[].type' }]);
  for (const [at, { type, to = '' }] of operations.entries()) {
    if (type !== 'link') continue;
    const menu = menus.get(to);
    if (!menu) return refused(404, `Richmenu (${to}) is not found`);
    if (!menu.image)
      return mistaken([
        { message: `'to' richmenu (${to}) must have image but it doesn't`, property: `operations[${at}].to` },
      ]);
  }
  return undefined;
}

const createAlias: Handler = (world, { body }) => {
  const { richMenuAliasId = '', richMenuId } = Alias.parse(body);
  if (!isMenuId(richMenuId)) return invalid('richMenuId');
  if (world.aliases.has(richMenuAliasId)) return withDetails(400, 'conflict richmenu alias id');
  if (!world.menus.get(richMenuId)?.image) return withDetails(400, 'richmenu not found');
  if (world.aliases.size >= maxMenus) return refused(400, 'The maximum number of rich menu aliases has been reached');
  world.aliases.set(richMenuAliasId, richMenuId);
  world.changed();
  return done;
};

const updateAlias: Handler = (world, { params, body }) => {
  const { richMenuAliasId = '' } = params;
  const { richMenuId } = Alias.parse(body);
  if (!world.aliases.has(richMenuAliasId)) return noAlias;
  if (!isMenuId(richMenuId)) return invalid('richMenuId');
  if (!world.menus.get(richMenuId)?.image) return withDetails(400, 'richmenu not found');
  world.aliases.set(richMenuAliasId, richMenuId);
  world.changed();
  return done;
};
const noAlias = withDetails(404, 'richmenu alias not found');

export const menuHandlers: Record<string, Handler> = {
  createRichMenu: create,
  validateRichMenuObject: (_, { body }) => {
    const problems = wrongMenu(body);
    return problems.length > 0 ? mistaken(problems) : done;
  },
  setRichMenuImage: setImage,
  getRichMenuImage: ({ menus }, { params }) => {
    const image = menus.get(params['richMenuId'] ?? '')?.image;
    return image ? { status: 200, bytes: image.bytes, headers: { 'content-type': image.type } } : noMenu;
  },
  getRichMenu: ({ menus }, { params }) => {
    const menu = menus.get(params['richMenuId'] ?? '');
    return menu ? { status: 200, body: told(menu) } : withDetails(404, 'richmenu not found');
  },
  getRichMenuList: ({ menus }) => ({ status: 200, body: { richmenus: [...menus.values()].map(told) } }),
  deleteRichMenu(world, { params }) {
    const { richMenuId = '' } = params;
    if (!world.menus.delete(richMenuId)) return noMenu;
    for (const [userId, linked] of world.links) if (linked === richMenuId) world.links.delete(userId);
    if (world.defaultMenu === richMenuId) world.defaultMenu = undefined;
    world.changed();
    return done;
  },
  setDefaultRichMenu(world, { params }) {
    const menu = world.menus.get(params['richMenuId'] ?? '');
    if (!menu) return noMenu;
    if (!menu.image) return noImage;
    world.defaultMenu = menu.richMenuId;
    world.changed();
    return done;
  },
  getDefaultRichMenuId({ defaultMenu, hasManagerMenu }) {
    if (defaultMenu) return { status: 200, body: { richMenuId: defaultMenu } };
    return hasManagerMenu
      ? withDetails(403, 'the richmenu is owned by another channel')
      : withDetails(404, 'no default richmenu');
  },
  cancelDefaultRichMenu(world) {
    world.defaultMenu = undefined;
    world.changed();
    return done;
  },
  linkRichMenuIdToUser: link,
  unlinkRichMenuIdFromUser(world, { params }) {
    world.links.delete(params['userId'] ?? '');
    world.changed();
    return done;
  },
  getRichMenuIdOfUser({ links }, { params }) {
    const richMenuId = links.get(params['userId'] ?? '');
    return richMenuId ? { status: 200, body: { richMenuId } } : withDetails(404, 'the user has no richmenu');
  },
  linkRichMenuIdToUsers(world, { body }) {
    const { richMenuId = '', userIds } = Bulk.parse(body);
    if (!isMenuId(richMenuId)) return invalid('richMenuId');
    const menu = world.menus.get(richMenuId);
    if (!menu) return noMenu;
    if (!menu.image) return noImage;
    linkTo(world, userIds, richMenuId);
    return accepted;
  },
  unlinkRichMenuIdFromUsers(world, { body }) {
    for (const userId of Bulk.parse(body).userIds) world.links.delete(userId);
    world.changed();
    return accepted;
  },
  richMenuBatch: batch,
  validateRichMenuBatchRequest: (world, { body }) => wrongBatch(world, body) ?? done,
  getRichMenuBatchProgress({ batches, now }, { query }) {
    const at = batches.get(query.get('requestId') ?? '');
    if (at === undefined || now() - at > 14 * dayMs) return refused(404, 'Not found');
    const times = { acceptedTime: new Date(at).toISOString(), completedTime: new Date(at + 1).toISOString() };
    return { status: 200, body: { phase: 'succeeded', ...times } };
  },
  createRichMenuAlias: createAlias,
  updateRichMenuAlias: updateAlias,
  getRichMenuAlias({ aliases }, { params }) {
    const { richMenuAliasId = '' } = params;
    const richMenuId = aliases.get(richMenuAliasId);
    return richMenuId ? { status: 200, body: { richMenuAliasId, richMenuId } } : noAlias;
  },
  getRichMenuAliasList: ({ aliases }) => ({ status: 200, body: { aliases: aliasList(aliases) } }),
  deleteRichMenuAlias: (world, { params }) => {
    if (!world.aliases.delete(params['richMenuAliasId'] ?? '')) return noAlias;
    world.changed();
    return done;
  },
};

export const aliasList = (aliases: Map<string, string>) =>
  [...aliases].map(([richMenuAliasId, richMenuId]) => ({ richMenuAliasId, richMenuId }));

/** A tab of a menu was tapped: the parameters that its postback has. */
export function switchMenu(world: World, userId: string, alias: string): Record<string, string> {
  const richMenuId = world.aliases.get(alias);
  if (!richMenuId) return { status: 'RICHMENU_ALIAS_ID_NOTFOUND' };
  if (!world.menus.has(richMenuId)) return { status: 'RICHMENU_NOTFOUND' };
  world.links.set(userId, richMenuId);
  world.changed();
  return { newRichMenuAliasId: alias, status: 'SUCCESS' };
}
