import '@mantine/core/styles/Radio.css';
import { Button, Collapse, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { usualCrawl, type CrawlSettings, type Looked, type Website } from '../../../shared/contracts/websites.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import classes from './knowledge.module.css';
import { CrawlFields, settingsToSend } from './crawl-fields.tsx';
import { useAddWebsite, useLook } from './websites.queries.ts';

/** Where an address is typed, what stands there is looked at, and how much of it is to be read is chosen. */
export function WebsiteForm({ base, onAdded }: { base: string; onAdded(site: Website): void }) {
  const { t } = useTranslation('websites');
  const [url, setUrl] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [settings, setSettings] = useState<CrawlSettings>(usualCrawl);
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const look = useLook();
  const add = useAddWebsite(base);
  const found = look.data;
  const error = add.error ?? look.error;
  const wrong = error instanceof ApiError ? error.fields['url'] : undefined;
  const onLook = () => {
    setIsMissing(url.trim() === '');
    if (url.trim() === '') return field.current?.focus();
    add.reset();
    return look.mutate(url, {
      onSuccess: ({ mapped, links, title }) =>
        setSettings((before) => ({
          ...before,
          reach: title === '' && mapped ? 'sitemap' : links > 0 || mapped ? 'site' : 'page',
        })),
    });
  };
  return (
    <form
      noValidate
      className={classes['settings']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!found || found.reason) onLook();
        else add.mutate({ url: found.url, settings: settingsToSend(settings) }, { onSuccess: onAdded });
      }}
    >
      <Stack>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            ref={field}
            flex={1}
            type="url"
            inputMode="url"
            autoComplete="url"
            label={t('form.address')}
            description={t('form.hint')}
            placeholder={t('form.placeholder')}
            value={url}
            maxLength={2000}
            required
            error={isMissing ? t('form.missing') : (wrong ?? problemOf(error))}
            onChange={({ currentTarget }) => {
              setUrl(currentTarget.value);
              look.reset();
            }}
          />
        </Group>
        {found && !found.reason && (
          <>
            <Reach found={found} value={settings} onChange={setSettings} />
            <Button
              variant="subtle"
              color="gray"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              style={{ alignSelf: 'flex-start' }}
            >
              {t('form.more')}
            </Button>
            <Collapse expanded={isOpen}>
              <CrawlFields value={settings} onChange={setSettings} />
            </Collapse>
          </>
        )}
        <div className={classes['formFoot']}>
          <Button type="submit" loading={look.isPending || add.isPending}>
            {t(!found || found.reason ? 'form.look' : settings.reach === 'page' ? 'form.addPage' : 'form.add')}
          </Button>
        </div>
      </Stack>
      <div className={classes['beside']} aria-live="polite">
        <Section title={found ? found.title || new URL(found.url).hostname : t('form.address')}>
          {look.isPending ? (
            <p className={classes['hint']}>{t('form.looking')}</p>
          ) : !found ? (
            <p className={classes['hint']}>{t('form.previewNone')}</p>
          ) : (
            <>
              <p className={classes['hint']}>{found.url}</p>
              {found.reason ? (
                <State kind="failed">{t(`reason.${found.reason}`)}</State>
              ) : (
                found.excerpt && <p>{found.excerpt}…</p>
              )}
            </>
          )}
        </Section>
      </div>
    </form>
  );
}

interface ReachProps {
  found: Looked;
  value: CrawlSettings;
  onChange(value: CrawlSettings): void;
}

function Reach({ found, value, onChange }: ReachProps) {
  const { t } = useTranslation('websites');
  const isMap = found.title === '' && found.mapped !== null;
  return (
    <Radio.Group label={t('form.reach')} value={value.reach} onChange={(reach) => onChange({ ...value, reach })}>
      <Stack gap="xs" mt="xs">
        {!isMap && (
          <>
            <Radio value="site" label={t('form.site')} description={t('form.siteHint', { count: found.links })} />
            <Radio value="page" label={t('form.page')} description={t('form.pageHint')} />
          </>
        )}
        {found.mapped !== null && (
          <Radio
            value="sitemap"
            label={t('form.sitemap')}
            description={t('form.sitemapHint', { count: found.mapped })}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}
