import { useQuery } from '@tanstack/react-query';
import type { EmbedSettings, WidgetWords } from '../../../shared/contracts/web-channels.ts';
import { textsOf, type Locale } from '../../lib/i18n.ts';

/** Our texts of the widget in a language, by their keys. */
export const useOurWords = (locale: Locale) =>
  useQuery({
    queryKey: ['widget-words', locale],
    queryFn: async () => {
      const files = await Promise.all([textsOf(locale, 'widget'), textsOf(locale, 'widget-page')]);
      const texts = files.flatMap((file) => Object.entries(file ?? {}));
      return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    },
    staleTime: Infinity,
  });

/** The texts with some of one language said otherwise. */
export const withWords = (
  texts: EmbedSettings['texts'],
  locale: Locale,
  changes: Partial<WidgetWords>,
): EmbedSettings['texts'] => ({ ...texts, [locale]: { ...texts[locale], ...changes } });

/** Those that have a field of their own. */
const named = ['title', 'subtitleBot', 'subtitlePeople', 'welcome', 'placeholder', 'consent', 'limit'];

export const placeNames = ['head', 'start', 'field', 'answers', 'talk', 'form', 'menu', 'notices'] as const;
export type PlaceName = (typeof placeNames)[number];

/** By where in the widget they stand, in the order in which a visitor meets them; what stands nowhere else is a notice. */
const places: Record<Exclude<PlaceName, 'notices'>, string> = {
  head: '',
  start: '',
  field: `send stop attach drop remove uploading download enlarge tooManyFiles tooLong sending waits notSent retry discard`,
  answers: `writing stopped answerFailed askAgain sources source page showPage pageComing pageFailed larger smaller
    helpful notHelpful wasHelpful missing thanks suggestions`,
  talk: `waiting staffAnswers log starterQuestions older today yesterday new toEnd you staff typing closed leaveEmail emailLeft`,
  form: `formTitle name email phone optional begin required emailForm consentNeeded`,
  menu: `menu close newConversation talkToPerson soundOn soundOff poweredBy`,
};

const placeOf = (key: string): PlaceName =>
  placeNames.find((place) => place !== 'notices' && places[place].split(/\s+/).includes(key)) ?? 'notices';

export const otherKeys = (ours: Record<string, string>): string[] =>
  Object.keys(ours).filter((key) => !named.includes(key));

export const keysAt = (place: PlaceName, ours: Record<string, string>): string[] =>
  otherKeys(ours).filter((key) => placeOf(key) === place);

/** What is filled in in a text. */
export const marksIn = (text: string) => text.match(/\{\{\w+\}\}/g) ?? [];

/** What is filled in in our text, and left out in theirs. */
export const missingMarks = (ours: string, theirs: string): string[] =>
  theirs.trim() ? marksIn(ours).filter((mark) => !theirs.includes(mark)) : [];
