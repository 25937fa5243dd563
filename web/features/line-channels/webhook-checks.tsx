import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { formatAgo } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { State, rowClass, type StateKind } from '../../ui/page.tsx';
import { AddressGuide } from './address-guide.tsx';
import classes from './line-channels.module.css';

/** What has to be so that events arrive, each with what LINE says of it. */
export function WebhookChecks({ channel: { webhook }, isBusy }: { channel: LineChannel; isBusy: boolean }) {
  const { t, has } = useTranslation('line-channels');
  const { url, registered, active, test, checkedAt } = webhook;
  const isOurs = registered === url;
  const checks: { name: 'registered' | 'active' | 'reached'; kind: StateKind; text: string }[] = [
    {
      name: 'registered',
      kind: checkedAt === null ? 'draft' : isOurs ? 'live' : 'failed',
      text:
        checkedAt === null
          ? t('checks.unasked')
          : isOurs
            ? t('checks.registeredHere')
            : registered === null
              ? t('checks.registeredNowhere')
              : t('checks.registeredElsewhere', { url: registered }),
    },
    {
      name: 'active',
      kind: active === null ? 'draft' : active ? 'live' : 'failed',
      text: t(active === null ? 'checks.unasked' : active ? 'checks.isActive' : 'checks.isInactive'),
    },
    {
      name: 'reached',
      kind: test === null ? 'draft' : test.success ? 'live' : 'failed',
      text:
        test === null
          ? t('checks.untried')
          : test.success
            ? t('checks.reachedAt', { ago: formatAgo(test.at) })
            : whyUnreached(test, { t, has }),
    },
  ];
  return (
    <>
      <ul className={classes['checks']} aria-busy={isBusy}>
        {checks.map(({ name, kind, text }) => (
          <li key={name} className={rowClass}>
            <State kind={isBusy && kind !== 'live' ? 'working' : kind}>{t(`checks.${name}`)}</State>
            <span>{isBusy && kind !== 'live' ? t('checks.running') : text}</span>
          </li>
        ))}
      </ul>
      {!isBusy && url.startsWith('http:') && !(isOurs && test?.success) && <AddressGuide url={url} />}
    </>
  );
}

/** In our words what LINE calls by a code. */
export function whyUnreached(
  { reason, status, detail }: NonNullable<LineChannel['webhook']['test']>,
  { t, has }: { t: Translate<'line-channels'>; has(key: string): key is KeyIn<'line-channels'> },
): string {
  const key = `test.${reason}`;
  const values = { status: String(status), detail: detail || reason };
  return has(key) ? t(key, values) : t('test.UNCLASSIFIED', values);
}
