/** Something on a page, with its place in any unit. */
export interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Overlaps and gaps up to this share of what is lower do not count: people do not see them. */
const slack = 0.15;
const deepest = 40;

/**
 * What stands on a page in the order in which people read it: one row after the other, in a row one column after the other. Rows of
 * several things that touch are columns first, so that a heading stays with what is right below it.
 */
export function readingOrder<T extends Placed>(items: T[], depth = 0): T[] {
  const byTop = () => items.toSorted((one, other) => one.y - other.y || one.x - other.x);
  if (items.length < 2 || depth > deepest) return byTop();
  const rows = cut(items, ({ y, height }) => [y, height]);
  for (const parts of [joinTouching(rows), cut(items, ({ x, width }) => [x, width]), rows])
    if (parts.length > 1) return parts.flatMap((part) => readingOrder(part, depth + 1));
  return byTop();
}

/** Groups whose ranges do not meet, in order. */
function cut<T>(items: T[], rangeOf: (item: T) => [start: number, length: number]): T[][] {
  const groups: T[][] = [];
  let end = -Infinity;
  for (const item of items.toSorted((one, other) => rangeOf(one)[0] - rangeOf(other)[0])) {
    const [start, length] = rangeOf(item);
    if (groups.length === 0 || start >= end - slack * length) groups.push([]);
    groups.at(-1)?.push(item);
    end = Math.max(end, start + length);
  }
  return groups;
}

function joinTouching<T extends Placed>(rows: T[][]): T[][] {
  const joined: T[][] = [];
  let end = -Infinity;
  let before: T[] = [];
  for (const row of rows) {
    const top = row.reduce((least, { y }) => Math.min(least, y), Infinity);
    const height = row.reduce((least, each) => Math.min(least, each.height), Infinity);
    const isApart = before.length < 2 || row.length < 2 || top - end > height * slack;
    if (isApart) joined.push([]);
    for (const each of row) joined.at(-1)?.push(each);
    end = row.reduce((most, each) => Math.max(most, each.y + each.height), end);
    before = row;
  }
  return joined;
}
