import { Anchor, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountLink } from '../../../shared/contracts/line-channels.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CodeBox } from '../../ui/code-box.tsx';
import { Section, State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import classes from './line-channels.module.css';
import { useWebsites } from './line-channels.queries.ts';
import { linkSnippets } from './link-snippets.ts';

interface Props {
  value: AccountLink | null;
  onChange(value: AccountLink | null): void;
  error(field: keyof AccountLink): string | undefined;
}

/** What is still missing, once somebody has tried to save it. */
export const missingIn = (value: AccountLink | null): (keyof AccountLink)[] =>
  value ? (['website', 'signIn', 'link', 'unlink'] as const).filter((field) => value[field].trim() === '') : [];

/** Friends link the account that they have at the shop. */
export function AccountLinkPart({ value, onChange, error }: Props) {
  const { t } = useTranslation('line-channels');
  const sites = useWebsites().data;
  const offer = () =>
    onChange({
      website: (sites?.find(({ hasSecret }) => hasSecret) ?? sites?.[0])?.uuid ?? '',
      signIn: '',
      link: t('link.usualLink'),
      unlink: t('link.usualUnlink'),
    });
  return (
    <Section title={t('link.title')}>
      <Stack className={classes['fields'] ?? ''}>
        {value === null && sites?.length === 0 ? (
          <p className={classes['text']}>
            {t('link.offerHint')}
            {gap()}
            {t('link.noSite')}
            {gap()}
            <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/Web-Channel" />}>
              {t('link.toSites')}
            </Anchor>
          </p>
        ) : (
          <Switch
            label={t('link.offer')}
            description={t('link.offerHint')}
            checked={value !== null}
            disabled={value === null && !sites}
            onChange={(event) => (event.currentTarget.checked ? offer() : onChange(null))}
          />
        )}
        {value && <Fields value={value} onChange={onChange} error={error} />}
      </Stack>
    </Section>
  );
}

function Fields({ value, onChange, error }: Props & { value: AccountLink }) {
  const { t } = useTranslation('line-channels');
  const sites = useWebsites().data;
  const site = sites?.find(({ uuid }) => uuid === value.website);
  const isGone = sites !== undefined && value.website !== '' && !site;
  const set = (next: Partial<AccountLink>) => onChange({ ...value, ...next });
  return (
    <>
      <div>
        <Select
          label={t('link.website')}
          description={t('link.websiteHint')}
          value={site ? site.uuid : null}
          data={sites?.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
          onChange={(website) => set({ website: website ?? '' })}
          allowDeselect={false}
          error={isGone ? t('link.gone') : error('website')}
        />
        {site && !site.hasSecret && (
          <p className={classes['hint']} role="status">
            <State kind="warning">
              <span>
                {t('link.noSecret')}
                {gap()}
                <Anchor
                  inherit
                  underline="always"
                  renderRoot={(props) => <Link {...props} to={`/Web-Channel/${site.uuid}`} />}
                >
                  {t('link.toSite', { name: site.name })}
                </Anchor>
              </span>
            </State>
          </p>
        )}
      </div>
      <TextInput
        label={t('link.signIn')}
        description={t('link.signInHint')}
        placeholder="https://shop.example.com/line"
        inputMode="url"
        value={value.signIn}
        onChange={(event) => set({ signIn: event.currentTarget.value })}
        maxLength={800}
        error={error('signIn')}
      />
      <Stack gap={4}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {(['link', 'unlink'] as const).map((name) => (
            <TextInput
              key={name}
              label={t(`link.phrase.${name}`)}
              value={value[name]}
              onChange={(event) => set({ [name]: event.currentTarget.value })}
              maxLength={50}
              error={error(name)}
            />
          ))}
        </SimpleGrid>
        <p className={classes['hint']}>{t('link.phraseHint')}</p>
      </Stack>
      <Server />
    </>
  );
}

type Language = keyof typeof linkSnippets;

/** What the shop's page does when somebody has signed in. */
function Server() {
  const { t } = useTranslation('line-channels');
  const [language, setLanguage] = useState<Language>('Node.js');
  return (
    <Stack gap={8}>
      <p className={classes['text']}>{t('link.serverHint')}</p>
      <div>
        <Segments
          label={t('link.language')}
          value={language}
          options={(['Node.js', 'PHP'] as const).map((name) => ({ value: name, label: name }))}
          onChange={setLanguage}
        />
      </div>
      <CodeBox
        label={t('link.server')}
        code={linkSnippets[language]}
        copyLabel={t('link.copy')}
        copiedLabel={t('common:copied')}
      />
    </Stack>
  );
}
