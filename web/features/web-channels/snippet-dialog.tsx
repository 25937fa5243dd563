import { Alert, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconShare2 } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { SiteCheck, WebChannel } from '../../../shared/contracts/web-channels.ts';
import { isPrivateRefused, useAllowAddress } from '../../lib/allow-address.ts';
import { apiBase } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import { CodeBox } from '../../ui/code-box.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { hashSnippet, identifySnippet, modes, places, writeSnippet, type Mode, type Place } from './snippets.ts';
import classes from './web-channels.module.css';
import { useNewSecret, usePublishBot, useSiteCheck } from './web-channels.queries.ts';

interface Props {
  channel: WebChannel;
  onClose(): void;
}

/** How the widget comes onto a site, whether it has, and how the site says who its visitor is. */
export function SnippetDialog({ channel, onClose }: Props) {
  const { t } = useTranslation('web-channels');
  const [secret, setSecret] = useState<string>();
  const mayManage = useMay('manage');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('snippet.title')}
      size="xl"
      centered
      // A click beside it must not lose what is shown once.
      closeOnClickOutside={!secret}
    >
      <Stack gap={0} className={classes['steps'] ?? ''}>
        <Paste channel={channel} />
        <Check channel={channel} />
        {mayManage && <Identify channel={channel} secret={secret} onSecret={setSecret} />}
      </Stack>
    </Modal>
  );
}

function Paste({ channel }: { channel: WebChannel }) {
  const { t } = useTranslation('web-channels');
  const [place, setPlace] = useState<Place>('html');
  const [mode, setMode] = useState<Mode>('bubble');
  const code = writeSnippet(place, { origin: apiBase || window.location.origin, channel: channel.uuid, mode });
  return (
    <Section title={t('snippet.paste')}>
      <div className={classes['choices']}>
        <Select
          size="xs"
          aria-label={t('snippet.place')}
          value={place}
          onChange={(value) => setPlace(places.find((each) => each === value) ?? 'html')}
          data={places.map((value) => ({ value, label: t(`snippet.places.${value}`) }))}
          allowDeselect={false}
        />
        <Segments
          label={t('snippet.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`snippet.modes.${value}`) }))}
          onChange={setMode}
        />
      </div>
      <p className={classes['where']}>{t(`snippet.where.${place}`)}</p>
      <Code label={t('snippet.code')} code={code} isMain>
        <Share text={code} />
      </Code>
      {channel.bot && !channel.bot.published && <Publish bot={channel.bot} />}
      {channel.settings.domains.length === 0 && (
        <p className={classes['note']} role="status">
          <State kind="warning">{t('domains.none')}</State>
        </p>
      )}
    </Section>
  );
}

/** Nobody pastes into a site on a phone: from there it is sent to where that is done. */
function Share({ text }: { text: string }) {
  const { t } = useTranslation('web-channels');
  const isTouched = useMediaQuery('(pointer: coarse)');
  if (!isTouched || !('share' in navigator)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconShare2 size={14} />}
      // Whoever thinks better of it has refused it, which is no fault.
      onClick={() => void navigator.share({ title: t('snippet.title'), text }).catch(() => {})}
    >
      {t('snippet.share')}
    </Button>
  );
}

/** Without it, whoever puts the widget on a site now finds that nobody answers there. */
function Publish({ bot }: { bot: NonNullable<WebChannel['bot']> }) {
  const { t } = useTranslation('web-channels');
  const mayEdit = useMay('edit');
  const publish = usePublishBot();
  return (
    <p className={`${classes['note']} ${classes['publish']}`} role="status">
      <State kind="warning">{t('snippet.unpublished', { bot: bot.name })}</State>
      {mayEdit && (
        <Button
          size="xs"
          variant="default"
          loading={publish.isPending}
          onClick={() =>
            publish.mutate(bot.uuid, {
              onSuccess: () => toast.success(t('snippet.published', { bot: bot.name })),
              onError: (error) => toast.error(errorText(error)),
            })
          }
        >
          {t('snippet.publish')}
        </Button>
      )}
    </p>
  );
}

interface CodeProps {
  label: string;
  code: string;
  isMain?: boolean;
  children?: ReactNode;
}

function Code({ label, code, ...rest }: CodeProps) {
  const { t } = useTranslation('web-channels');
  return (
    <CodeBox
      label={label}
      code={code}
      copyLabel={t('snippet.copy', { what: label })}
      copiedLabel={t('common:copied')}
      {...rest}
    />
  );
}

const kinds = { good: 'live', bad: 'failed', unknown: 'draft' } as const satisfies Record<
  SiteCheck['state'],
  StateKind
>;

/** A machine of a maker's own has no certificate. */
const schemeOf = (domain: string) => (/^(localhost|127\.0\.0\.1)([:/]|$)/.test(domain) ? 'http' : 'https');

function Check({ channel }: { channel: WebChannel }) {
  const { t } = useTranslation('web-channels');
  const first = channel.settings.domains.find((domain) => !domain.startsWith('*'));
  const [url, setUrl] = useState(first ? `${schemeOf(first)}://${first}/` : '');
  const [isTold, setIsTold] = useState(false);
  const check = useSiteCheck(channel.uuid);
  const form = useId();
  const offer = useAllowAddress(isPrivateRefused(check.error), check.variables ?? '');
  const isEmpty = url.trim() === '';
  const address = /^https?:\/\//i.test(url.trim()) ? url.trim() : `${schemeOf(url.trim())}://${url.trim()}`;
  return (
    <Section title={t('check.title')}>
      <form
        id={form}
        className={classes['adding']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(isEmpty);
          if (!isEmpty) check.mutate(address);
        }}
      >
        <TextInput
          flex={1}
          inputMode="url"
          aria-label={t('check.url')}
          placeholder="https://shop.example.com/"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          maxLength={2000}
          error={(isTold && isEmpty && t('common:required')) || problemOf(check.error)}
        />
        <Button type="submit" variant="default" loading={check.isPending}>
          {t('check.button')}
        </Button>
      </form>
      {offer && <AddressOffer {...offer} form={form} />}
      <div role="status">
        {check.data && !check.isPending && (
          <ul className={classes['checks']}>
            {check.data.map((each) => (
              <li key={each.what} className={rowClass}>
                <State kind={kinds[each.state]}>{t(`check.what.${each.what}`)}</State>
                <span>{each.text}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

interface IdentifyProps {
  channel: WebChannel;
  secret: string | undefined;
  onSecret(secret: string): void;
}

function Identify({ channel, secret, onSecret }: IdentifyProps) {
  const { t } = useTranslation('web-channels');
  const create = useNewSecret(channel.uuid);
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  return (
    <details className={classes['fold']}>
      <summary>
        {t('identify.title')}
        <small>{t('identify.who')}</small>
      </summary>
      <Stack gap="sm">
        <Text size="sm">{t('identify.text')}</Text>
        <div>
          <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
            {t('identify.create')}
          </Button>
        </div>
        {secret && (
          <>
            <Alert color="yellow" icon={<IconAlertTriangle />}>
              {t('identify.once')}
            </Alert>
            <CopyField
              label={t('identify.secret')}
              value={secret}
              copyLabel={t('common:copy')}
              copiedLabel={t('common:copied')}
            />
          </>
        )}
        <Code label={t('identify.server')} code={hashSnippet} />
        <Code label={t('identify.page')} code={identifySnippet} />
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title={t('identify.askTitle')}
        text={t(channel.hasSecret ? 'identify.askText' : 'identify.firstText')}
        confirm={t('identify.create')}
        cancel={t('common:cancel')}
        loading={create.isPending}
        onConfirm={() =>
          create.mutate(undefined, {
            onSuccess: onSecret,
            onError: (error) => toast.error(errorText(error)),
            onSettled: close,
          })
        }
        onClose={close}
      />
    </details>
  );
}
