import { Anchor, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { languageOf } from '../../../shared/characters.ts';
import type { WidgetWords } from '../../../shared/contracts/web-channels.ts';
import { useTranslation, type Locale } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { TextRows } from '../../ui/text-rows.tsx';
import { LocaleSwitch } from './locale-switch.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';
import { marksIn, missingMarks, otherKeys, useOurWords, withWords } from './words.ts';

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
  const change = (changes: Partial<typeof words>) => set({ texts: withWords(texts, locale, changes) });
  const placeholders = {
    title: bot?.name ?? ours['title'],
    subtitle: ours[isPeopleOnly ? 'subtitlePeople' : 'subtitleBot'],
    welcome: bot?.greeting || ours['welcome'],
    placeholder: ours['placeholder'],
  };
  return (
    <>
      <LocaleSwitch {...part} />
      <p className={classes['hint']}>{t('texts.hint')}</p>
      <Stack gap={18} mt={12}>
        {(['title', 'subtitle'] as const).map((name) => (
          <TextInput
            key={name}
            label={t(`texts.${name}`)}
            placeholder={placeholders[name]}
            value={words[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
            maxLength={name === 'title' ? 80 : 120}
            error={fieldError(`texts.${locale}.${name}`)}
          />
        ))}
        <div>
          <Textarea
            label={t('texts.welcome')}
            placeholder={placeholders.welcome}
            value={words.welcome}
            onChange={(event) => change({ welcome: event.currentTarget.value })}
            maxLength={1000}
            autosize
            minRows={2}
            error={fieldError(`texts.${locale}.welcome`)}
          />
          <Elsewhere {...part} own={({ welcome }) => welcome} usual={bot?.greeting ?? ''} />
        </div>
        <TextInput
          label={t('texts.placeholder')}
          placeholder={placeholders.placeholder}
          value={words.placeholder}
          onChange={(event) => change({ placeholder: event.currentTarget.value })}
          maxLength={120}
          error={fieldError(`texts.${locale}.placeholder`)}
        />
        <div>
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
            onChange={(starters) => change({ starters })}
          />
          <Elsewhere
            {...part}
            own={({ starters }) => starters.filter((starter) => starter.trim()).join(t('common:dot'))}
            usual={bot?.starters.join(t('common:dot')) ?? ''}
          />
        </div>
      </Stack>
      <OtherWords {...part} ours={ours} />
    </>
  );
}

interface ElsewhereProps extends PartProps {
  /** What is written here of the words of a language. */
  own(words: WidgetWords): string;
  /** What the bot says in any language, where nothing is. */
  usual: string;
}

/** Warns beside a field of what visitors who read the other language, or this one, get in a language that is not theirs. */
function Elsewhere({ settings: { texts }, locale, onLocale, own, usual }: ElsewhereProps) {
  const { t } = useTranslation('web-channels');
  const other = locale === 'en' ? 'ja' : 'en';
  const isForeign = (to: Locale) => {
    const text = own(texts[to]).trim() || usual.trim();
    return text !== '' && languageOf(text) !== to;
  };
  const isOnlyHere = own(texts[locale]).trim() !== '' && own(texts[other]).trim() === '';
  const to = isForeign(locale) ? locale : isForeign(other) || isOnlyHere ? other : undefined;
  if (to === undefined) return null;
  const text = own(texts[to]).trim() || usual.trim();
  return (
    <p className={classes['elsewhere']} role="status">
      <State kind="warning">
        <span>
          {t(text ? `texts.elsewhere.${to}` : `texts.elsewhereOurs.${to}`, { text })}{' '}
          {to === other && (
            <Anchor component="button" type="button" inherit onClick={() => onLocale(other)}>
              {t(`texts.write.${other}`)}
            </Anchor>
          )}
        </span>
      </State>
    </p>
  );
}

function OtherWords({ settings, set, locale, fieldError, ours }: PartProps & { ours: Record<string, string> }) {
  const { t, has } = useTranslation('web-channels');
  const [q, setQ] = useState('');
  const { texts } = settings;
  const { others } = texts[locale];
  const wanted = q.toLowerCase();
  const keys = otherKeys(ours);
  const whereOf = (key: string) => {
    const where = `where.${key}`;
    return has(where) ? t(where) : key;
  };
  const found = keys.filter((key) =>
    [whereOf(key), ours[key], others[key]].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const marks = [...new Set(keys.flatMap((key) => marksIn(ours[key] ?? '')))];
  const change = (key: string, text: string) => {
    const { [key]: _, ...rest } = others;
    // What is empty is ours again.
    set({ texts: withWords(texts, locale, { others: text ? { ...others, [key]: text } : rest }) });
  };
  if (keys.length === 0) return null;
  const own = keys.filter((key) => others[key]).length;
  return (
    <div className={classes['others']}>
      <Section title={t('texts.others')} count={own > 0 ? t('texts.own', { count: own }) : undefined}>
        <div className={classes['find']}>
          <SearchInput value={q} onChange={setQ} label={t('texts.search')} clearLabel={t('common:clear')} />
        </div>
        {marks.length > 0 && (
          <p className={classes['hint']}>{t('texts.marks', { marks: marks.join(t('common:dot')) })}</p>
        )}
        {found.length === 0 && <p className={classes['hint']}>{t('texts.noMatch', { q })}</p>}
        <Stack gap={12} mt={12}>
          {found.map((key) => {
            const missing = missingMarks(ours[key] ?? '', others[key] ?? '');
            return (
              <TextInput
                key={key}
                label={whereOf(key)}
                placeholder={ours[key]}
                value={others[key] ?? ''}
                onChange={(event) => change(key, event.currentTarget.value)}
                maxLength={500}
                classNames={{ label: classes['ours'] ?? '' }}
                {...(missing.length > 0 && { description: t('texts.keepMarks', { marks: missing.join(', ') }) })}
                error={fieldError(`texts.${locale}.others.${key}`)}
              />
            );
          })}
        </Stack>
      </Section>
    </div>
  );
}
