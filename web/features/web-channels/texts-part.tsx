import { Anchor, Stack, Textarea, TextInput } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { languageOf } from '../../../shared/characters.ts';
import type { WidgetWords } from '../../../shared/contracts/web-channels.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation, type Locale } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { TextRows } from '../../ui/text-rows.tsx';
import { LocaleSwitch } from './locale-switch.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';
import { keysAt, marksIn, missingMarks, placeNames, useOurWords, withWords, type PlaceName } from './words.ts';

interface Props extends PartProps {
  /** What the bot says where these texts are empty. */
  bot: { name: string; greeting: string; starters: string[] } | undefined;
  isPeopleOnly: boolean;
}

export function TextsPart({ bot, isPeopleOnly, ...part }: Props) {
  const { t } = useTranslation('web-channels');
  const { settings, set, locale, fieldError } = part;
  const { texts } = settings;
  const words = texts[locale];
  const ours = useOurWords(locale).data ?? {};
  const [open, setOpen] = useState<PlaceName[]>(['head', 'start']);
  const list = useRef<HTMLDivElement>(null);
  const change = (changes: Partial<typeof words>) => set({ texts: withWords(texts, locale, changes) });
  const placeholders = {
    title: bot?.name ?? ours['title'],
    subtitle: ours[isPeopleOnly ? 'subtitlePeople' : 'subtitleBot'],
    welcome: bot?.greeting || ours['welcome'],
    placeholder: ours['placeholder'],
  };
  const editedMark = useEditedMark();
  const line = (name: 'title' | 'subtitle' | 'placeholder') => (
    <TextInput
      key={name}
      label={t(`texts.${name}`)}
      placeholder={placeholders[name]}
      {...editedMark(words[name])}
      value={words[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      maxLength={name === 'title' ? 80 : 120}
      error={fieldError(`texts.${locale}.${name}`)}
    />
  );
  /** Which of them have a field that is more than one line of a list. */
  const first: { [place in PlaceName]?: { own: string[]; paths: string[]; fields: ReactNode } } = {
    head: {
      own: [words.title, words.subtitle],
      paths: ['title', 'subtitle'],
      fields: [line('title'), line('subtitle')],
    },
    start: {
      own: [words.welcome, ...words.starters],
      paths: ['welcome', 'starters'],
      fields: <StartFields {...part} bot={bot} placeholder={placeholders.welcome} onWords={change} />,
    },
    field: { own: [words.placeholder], paths: ['placeholder'], fields: line('placeholder') },
  };
  const wrong = placeNames.filter((place) =>
    [...(first[place]?.paths ?? []), ...keysAt(place, ours).map((key) => `others.${key}`)].some(
      (path) => fieldError(`texts.${locale}.${path}`) !== undefined,
    ),
  );
  // What a fault has opened stays open while it is mended.
  if (wrong.some((place) => !open.includes(place))) setOpen([...new Set([...open, ...wrong])]);
  return (
    <>
      <LocaleSwitch {...part} />
      <p className={classes['hint']}>{t('texts.hint')}</p>
      <Missing
        {...part}
        bot={bot}
        onGo={(name, to) => {
          part.onLocale(to);
          setOpen((now) => [...new Set<PlaceName>([...now, 'start'])]);
          requestAnimationFrame(() =>
            list.current
              ?.querySelector<HTMLElement>(`[data-text=${name}] :is(textarea, input, button:last-of-type)`)
              ?.focus(),
          );
        }}
      />
      <div ref={list} className={classes['places']}>
        {placeNames.map((place) => {
          const keys = keysAt(place, ours);
          const own = [...(first[place]?.own ?? []), ...keys.map((key) => words.others[key] ?? '')].filter(
            (text) => text.trim() !== '',
          );
          const isOpen = open.includes(place);
          return (
            <section key={place}>
              <h2>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? open.filter((each) => each !== place) : [...open, place])}
                >
                  <IconChevronRight size={16} stroke={1.75} aria-hidden />
                  <span>{t(`texts.places.${place}`)}</span>
                  {own.length > 0 && <small>{t('texts.own', { count: own.length })}</small>}
                </button>
              </h2>
              {!isOpen && own.length > 0 && <p className={classes['hint']}>{own.join(t('common:dot'))}</p>}
              {isOpen && (
                <Stack gap={14}>
                  {first[place]?.fields}
                  <OtherWords {...part} ours={ours} keys={keys} />
                </Stack>
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}

/** Of a field with a text of one's own: that it is one. */
function useEditedMark() {
  const { t } = useTranslation('web-channels');
  const mark = <span className={classes['edited']}>{t('texts.edited')}</span>;
  return (text: string) => text !== '' && { rightSection: mark, rightSectionWidth: 68 };
}

interface StartProps extends PartProps {
  bot: Props['bot'];
  placeholder: string | undefined;
  onWords(changes: Partial<WidgetWords>): void;
}

/** What stands there before anything was said. */
function StartFields({ bot, placeholder, onWords, ...part }: StartProps) {
  const { t } = useTranslation('web-channels');
  const { settings, locale, fieldError } = part;
  const words = settings.texts[locale];
  const editedMark = useEditedMark();
  return (
    <>
      <div data-text="welcome">
        <Textarea
          label={t('texts.welcome')}
          placeholder={placeholder}
          {...editedMark(words.welcome)}
          value={words.welcome}
          onChange={(event) => onWords({ welcome: event.currentTarget.value })}
          maxLength={1000}
          autosize
          minRows={2}
          error={fieldError(`texts.${locale}.welcome`)}
        />
      </div>
      <div data-text="starters">
        <TextRows
          label={t('texts.starters')}
          description={
            bot && bot.starters.length > 0
              ? t('texts.startersOfBot', { starters: bot.starters.join(t('common:dot')) })
              : t('texts.startersHint')
          }
          rows={words.starters}
          most={8}
          maxLength={120}
          labels={{
            row: (number) => t('texts.starter', { number }),
            move: (number) => t('texts.moveStarter', { number }),
            remove: (number) => t('texts.removeStarter', { number }),
            moved: (number) => t('texts.movedStarter', { number }),
            add: t('texts.addStarter'),
          }}
          error={(at) => fieldError(`texts.${locale}.starters.${at}`)}
          onChange={(starters) => onWords({ starters })}
        />
      </div>
    </>
  );
}

interface MissingProps extends PartProps {
  bot: Props['bot'];
  /** Leads to one of them, in the language that it lacks. */
  onGo(name: OwnText, to: Locale): void;
}

type OwnText = 'welcome' | 'starters';

/** Warns once of what visitors of one language, first of this one, get in a language that is not theirs. */
function Missing({ settings: { texts }, locale, bot, onGo }: MissingProps) {
  const { t } = useTranslation('web-channels');
  const own = (of: Locale): Record<OwnText, string> => ({
    welcome: texts[of].welcome.trim(),
    starters: texts[of].starters.join(' ').trim(),
  });
  const usual: Record<OwnText, string> = { welcome: bot?.greeting ?? '', starters: bot?.starters.join(' ') ?? '' };
  const isMissing = (name: OwnText, to: Locale) => {
    const said = own(to)[name] || usual[name].trim();
    return said === '' ? to !== locale && own(locale)[name] !== '' : (languageOf(said) ?? 'en') !== to;
  };
  const found = [locale, otherThan(locale)]
    .map((to) => ({ to, names: ownTexts.filter((name) => isMissing(name, to)) }))
    .find(({ names }) => names.length > 0);
  const [first] = found?.names ?? [];
  if (!found || !first) return null;
  return (
    <p className={classes['missing']} role="status">
      <State kind="warning">
        <span>
          {t(`texts.missing.${found.to}`, { count: found.names.length })}
          {gap()}
          <Anchor component="button" type="button" inherit onClick={() => onGo(first, found.to)}>
            {t('texts.write')}
          </Anchor>
        </span>
      </State>
    </p>
  );
}

const ownTexts = ['welcome', 'starters'] as const;
const otherThan = (locale: Locale): Locale => (locale === 'en' ? 'ja' : 'en');

interface OtherProps extends PartProps {
  ours: Record<string, string>;
  keys: string[];
}

function OtherWords({ settings, set, locale, fieldError, ours, keys }: OtherProps) {
  const { t, has } = useTranslation('web-channels');
  const editedMark = useEditedMark();
  const { texts } = settings;
  const { others } = texts[locale];
  const whereOf = (key: string) => {
    const where = `where.${key}`;
    return has(where) ? t(where) : key;
  };
  const marks = [...new Set(keys.flatMap((key) => marksIn(ours[key] ?? '')))];
  const change = (key: string, text: string) => {
    const { [key]: _, ...rest } = others;
    // What is empty is ours again.
    set({ texts: withWords(texts, locale, { others: text ? { ...others, [key]: text } : rest }) });
  };
  return (
    <>
      {keys.map((key) => {
        const missing = missingMarks(ours[key] ?? '', others[key] ?? '');
        return (
          <TextInput
            key={key}
            label={whereOf(key)}
            placeholder={ours[key]}
            {...editedMark(others[key] ?? '')}
            value={others[key] ?? ''}
            onChange={(event) => change(key, event.currentTarget.value)}
            maxLength={500}
            classNames={{ label: classes['ours'] ?? '' }}
            {...(missing.length > 0 && { description: t('texts.keepMarks', { marks: missing.join(', ') }) })}
            error={fieldError(`texts.${locale}.others.${key}`)}
          />
        );
      })}
      {marks.length > 0 && (
        <p className={classes['hint']}>{t('texts.marks', { marks: marks.join(t('common:dot')) })}</p>
      )}
    </>
  );
}
