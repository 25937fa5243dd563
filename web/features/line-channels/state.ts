import type { LineChannel, LineEvent, LineProblem } from '../../../shared/contracts/line-channels.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import type { StateKind } from '../../ui/page.tsx';

/** LINE's own pages, where its makers set what nobody else can. */
export const consoleUrl = 'https://developers.line.biz/console/';
export const managerUrl = 'https://manager.line.biz/';

const problemKinds: Record<LineProblem, StateKind> = {
  secret: 'failed',
  destination: 'warning',
  elsewhere: 'failed',
  inactive: 'failed',
  unreachable: 'failed',
  'chat-mode': 'warning',
  quota: 'warning',
};

export const kindOf = (problem: LineProblem): StateKind => problemKinds[problem];

/** What a maker should know first, in words. */
export function stateOf({ active, bot, problems, webhook, lastEventAt }: LineChannel): {
  kind: StateKind;
  text: KeyIn<'line-channels'>;
} {
  if (!active) return { kind: 'off', text: 'state.off' };
  const worst = problems.find((problem) => kindOf(problem) === 'failed') ?? problems[0];
  if (worst === 'elsewhere' && webhook.registered === null)
    return { kind: 'failed', text: 'problem.elsewhere.nowhereShort' };
  if (worst) return { kind: kindOf(worst), text: `problem.${worst}.short` };
  if (bot && !bot.published) return { kind: 'warning', text: 'state.unpublished' };
  return lastEventAt ? { kind: 'live', text: 'state.works' } : { kind: 'draft', text: 'state.waiting' };
}

export const eventKinds: Record<LineEvent['state'], StateKind> = {
  pending: 'working',
  done: 'live',
  ignored: 'off',
  failed: 'failed',
};

/** Of fewer conversations a line says nothing. */
const drawnFrom = 10;

export const drawnDays = ({ conversations, conversationsPerDay }: LineChannel) =>
  conversations < drawnFrom ? [] : conversationsPerDay;
