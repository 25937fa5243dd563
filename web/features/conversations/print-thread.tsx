import type { QueryClient } from '@tanstack/react-query';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { messagesIn, messagesOf } from './conversations.queries.ts';
import { printing } from './printing.ts';
import { Quotes } from './quotes.tsx';
import own from './print-thread.module.css';

const drawnWithinMs = 20_000;
const lookEveryMs = 60;

/**
 * Prints the conversation from its beginning: all that was not on the screen yet is fetched and drawn first, with a head
 * and with what each answer quotes.
 */
export async function printThread(client: QueryClient, { uuid }: Pick<Thread, 'uuid'>): Promise<void> {
  if (printing.get()) return;
  const { pages } = await client.fetchInfiniteQuery({ ...messagesOf(uuid), pages: Infinity, staleTime: 0 });
  const answers = messagesIn(pages).flatMap(({ role, uuid }) => (role === 'assistant' || role === 'staff' ? uuid : []));
  printing.set({ Head, Quotes });
  try {
    const until = Date.now() + drawnWithinMs;
    do await new Promise((next) => setTimeout(next, lookEveryMs));
    while (Date.now() < until && !isDrawn(answers));
    // Who has left the conversation meanwhile wants no other page on paper.
    if (!isDrawn(answers)) return printing.set(undefined);
    await document.fonts.ready;
    putBackAfterwards();
    window.print();
  } catch (failure) {
    printing.set(undefined);
    throw failure;
  }
}

/** Not every browser waits here while it prints: it is over when it says so, or when somebody goes on. */
function putBackAfterwards(): void {
  const watch = new AbortController();
  for (const event of ['afterprint', 'pointerdown', 'keydown'])
    window.addEventListener(
      event,
      () => {
        watch.abort();
        printing.set(undefined);
      },
      { capture: true, signal: watch.signal },
    );
}

/** Every answer is there, and none still as it was written. */
function isDrawn(answers: string[]): boolean {
  const shown = new Set(
    [...document.querySelectorAll<HTMLElement>('[data-message]')].map(({ dataset }) => dataset['message']),
  );
  return answers.every((uuid) => shown.has(uuid)) && !document.querySelector('[data-undrawn]');
}

/** Who was asked what, and when: on paper there is no bar that tells it. */
function Head({ bot, title, createdAt }: { bot: string; title: string; createdAt: string }) {
  const { t } = useTranslation('conversations');
  return (
    <header className={own['head']}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p>{[bot, formatMoment(createdAt)].join(t('common:dot'))}</p>
    </header>
  );
}
