import { Button, Skeleton, Stack } from '@mantine/core';
import type { MenuOnLine } from '../../../shared/contracts/line-menus.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { State, type StateKind } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './line-menus.module.css';
import { useMakeMenu, useOnLine, useRestore } from './line-menus.queries.ts';

const kinds: Record<MenuOnLine['state'], StateKind> = {
  live: 'live',
  changed: 'warning',
  gone: 'failed',
  old: 'working',
  unknown: 'off',
};

/** What LINE has beside what is here, and what can be done about the difference. */
export function OnLineDialog({ channel, onClose }: { channel: string; onClose(): void }) {
  const { t } = useTranslation('line-menus');
  const there = useOnLine(channel);
  const take = useMakeMenu(channel);
  const restore = useRestore(channel);
  const { data: rows = [], meta } = there.data ?? {};
  const fail = (error: unknown) => toast.error(errorText(error));
  return (
    <Modal opened onClose={onClose} title={t('onLine.title')} size="lg" centered>
      {there.isPending && <Skeleton height={80} />}
      {there.error && (
        <p role="alert" className={classes['fault']}>
          {errorText(there.error)}
        </p>
      )}
      {meta && (
        <Stack gap="sm">
          {rows.length > 0 && rows.every(({ state }) => state === 'live') && (
            <State kind="live">{t('onLine.synced')}</State>
          )}
          <p className={classes['hint']}>
            {t('onLine.count', {
              shown: formatNumber(rows.filter(({ state }) => state !== 'gone').length),
              limit: formatNumber(meta.limit),
            })}
            <br />
            {t(`onLine.defaults.${meta.channels[0]?.default ?? 'none'}`)}
          </p>
          {rows.some(({ state }) => state === 'gone' || state === 'unknown') && (
            <p className={classes['hint']}>{t('onLine.hint')}</p>
          )}
          {rows.length === 0 && <p className={classes['hint']}>{t('onLine.none')}</p>}
          <ul className={classes['lines']}>
            {rows.map(({ lineId, name, state, default: isDefault }) => (
              <li key={lineId}>
                <span>
                  <b>{name}</b>
                  {isDefault && <small>{t('onLine.default')}</small>}
                </span>
                <State kind={kinds[state]}>{t(`onLine.states.${state}`)}</State>
                {state === 'unknown' && (
                  <Button
                    variant="default"
                    size="xs"
                    loading={take.isPending}
                    onClick={() =>
                      take.mutate(
                        { kind: 'line', lineId },
                        {
                          onSuccess: (menu) => {
                            toast.success(t('onLine.taken', { name: menu.menu.name }));
                            onClose();
                          },
                          onError: fail,
                        },
                      )
                    }
                  >
                    {t('onLine.take')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {rows.some(({ state }) => state === 'gone') && (
            <Button
              ml="auto"
              loading={restore.isPending}
              onClick={() =>
                restore.mutate(undefined, { onSuccess: () => toast.success(t('onLine.restored')), onError: fail })
              }
            >
              {t('onLine.restore')}
            </Button>
          )}
        </Stack>
      )}
    </Modal>
  );
}
