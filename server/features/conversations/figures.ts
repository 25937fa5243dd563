import type { Context } from '../../feature.ts';
import { countByChannel, countChanged, type Begun } from './figures.store.ts';

const weekDays = 7;

/** Conversations of a workspace that began within a week, by their channel. */
export async function countWeek({ db, engine }: Context, workspace: string): Promise<Map<string, Begun>> {
  await countChanged(db, engine);
  return countByChannel(db, workspace, weekDays);
}

/** The same as a channel tells it, also where none began. */
export function toWeek(begun: Begun | undefined) {
  const perDay = begun?.perDay ?? Array.from({ length: weekDays }, () => 0);
  return {
    conversations: perDay.reduce((sum, count) => sum + count, 0),
    conversationsPerDay: perDay,
    unaided: begun?.unaided ?? 0,
  };
}

export {
  countChanged,
  countWaits,
  listAsked,
  listComments,
  sumByQuarter,
  type Begun,
  type FiguresFilter,
  type Wait,
} from './figures.store.ts';
