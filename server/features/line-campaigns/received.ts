import type { LineReceived } from '../../../shared/contracts/line-campaigns.ts';
import { excerpt } from '../../../shared/excerpt.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { listIdentities, mustFindGuest } from '../guests/guests.ts';
import { saidOf, toText } from './content.ts';
import { listReceivedBroadcasts, listReceivedSteps } from './received.store.ts';
import type { Plan } from './sending.ts';
import { stepsOf } from './steps.ts';

const shown = 20;
const maxWords = 80;

/** The newest that somebody was sent without having asked. */
export async function listReceived(context: Context, caller: Caller, uuid: string): Promise<LineReceived[]> {
  const guest = await mustFindGuest(context.db, caller.workspace, uuid);
  const identities = (await listIdentities(context.db, uuid))
    .filter(({ channel }) => channel === 'line')
    .map((identity) => identity.uuid);
  if (identities.length === 0) return [];
  const of = { identities, limit: shown };
  const [broadcasts, steps] = [await listReceivedBroadcasts(context.db, of), await listReceivedSteps(context.db, of)];
  const begins = (texts: string[]) => excerpt(toText(texts[0] ?? '', { name: guest.name }), '', maxWords);
  const told = [
    ...broadcasts.map(({ plan, at, ...row }) => {
      const { content }: Plan = JSON.parse(plan ?? '{"content":[]}');
      return { kind: 'broadcast' as const, ...row, at, text: begins(content.map(({ text }) => text)) };
    }),
    ...(await Promise.all(
      steps.map(async ({ steps: all, step, at, ...row }) => {
        const bubbles =
          stepsOf({ steps: all })
            .find((each) => each.uuid === step)
            ?.content.slice(0, 1) ?? [];
        const said = await saidOf(context, caller.workspace, bubbles, caller.locale);
        return { kind: 'step' as const, ...row, at, text: begins(said.map(({ text }) => text)) };
      }),
    )),
  ];
  return told
    .toSorted((one, other) => other.at - one.at)
    .slice(0, shown)
    .map(({ at, created_at, updated_at, ...each }) => ({
      ...each,
      at: new Date(at).toISOString(),
      ...momentsOf({ created_at, updated_at }),
    }));
}
