import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { State } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import classes from './line-channels.module.css';
import { useTryAddress } from './line-channels.queries.ts';

const ways = ['cloudflared', 'tailscale', 'ngrok', 'proxy'] as const;
type Way = (typeof ways)[number];

const commands: Record<Way, (port: string) => string> = {
  cloudflared: (port) => `cloudflared tunnel --url http://localhost:${port}`,
  tailscale: (port) => `tailscale funnel ${port}`,
  ngrok: (port) => `ngrok http ${port}`,
  proxy: (port) => `caddy reverse-proxy --from chat.example.com --to :${port}`,
};

/** From an address that only this machine has to one that LINE reaches: a way, the address it gives, and how Kotae is told of it. */
export function AddressGuide({ url }: { url: string }) {
  const { t } = useTranslation('line-channels');
  const [way, setWay] = useState<Way>('cloudflared');
  const [address, setAddress] = useState('');
  const found = useTryAddress();
  const copying = { copyLabel: t('common:copy'), copiedLabel: t('common:copied'), quiet: true } as const;
  const { fault, status } = found.data ?? {};
  return (
    <section className={classes['guide']} aria-label={t('address.title')}>
      <State kind="warning">{t('address.title')}</State>
      <p className={classes['hint']}>{t('address.why')}</p>
      <ol>
        <li>
          <b>{t('address.open')}</b>
          <div>
            <Segments
              label={t('address.open')}
              isWide
              value={way}
              options={ways.map((value) => ({ value, label: t(`address.ways.${value}`) }))}
              onChange={setWay}
            />
          </div>
          <p className={classes['hint']}>{t(`address.catches.${way}`)}</p>
          <CopyField label={t('address.command')} value={commands[way](new URL(url).port || '3000')} {...copying} />
        </li>
        <li>
          <form
            className={classes['try']}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              found.mutate(address.trim());
            }}
          >
            <TextInput
              label={t('address.shown')}
              placeholder="https://…"
              type="url"
              autoComplete="off"
              value={address}
              onChange={(event) => {
                setAddress(event.currentTarget.value);
                found.reset();
              }}
              error={problemOf(found.error)}
            />
            <Button type="submit" variant="default" loading={found.isPending}>
              {t('address.check')}
            </Button>
          </form>
          <p role="status" className={classes['found']}>
            {found.data && (
              <State kind={fault == null ? 'live' : 'failed'}>
                {fault == null ? t('address.reached') : t(`address.faults.${fault}`, { status: String(status) })}
              </State>
            )}
          </p>
        </li>
        {found.data && fault == null && (
          <li>
            <CopyField
              label={t('address.start')}
              description={t('address.startHint')}
              value={`BASE_URL=${found.data.address} npm start`}
              {...copying}
            />
          </li>
        )}
      </ol>
    </section>
  );
}
