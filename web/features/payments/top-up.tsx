import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Package, TopUp as Made } from '../../../shared/contracts/payments.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Section, State } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './payments.module.css';
import { useChangeTopUp, useForgetTopUp, useTopUp } from './payments.queries.ts';
import { PackageChoice } from './package-choice.tsx';
import { formatCard, formatPrice } from './price.ts';
import { areComplete, TopUpFields, type Terms } from './top-up-fields.tsx';

interface Props {
  /** What is sold now; none where credits are not. */
  packages: Package[] | undefined;
  /** Opens the purchase with which it is set up. */
  onSetUp(): void;
}

/** A package that is bought again by itself: what was set up, and how to change or end it. */
export function TopUp({ packages, onSetUp }: Props) {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = useTopUp();
  if (data === null && packages?.length === 0) return null;
  return (
    <Section
      title={t('topUp.title')}
      end={
        data === null &&
        packages && (
          <Button size="xs" variant="default" onClick={onSetUp}>
            {t('topUp.setUp')}
          </Button>
        )
      }
    >
      {error && data === undefined ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(error)}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined || !packages ? (
        <SkeletonRows />
      ) : data === null ? (
        <p className={classes['terms']}>{t('topUp.about')}</p>
      ) : (
        <SetUp topUp={data} packages={packages} onSetUp={onSetUp} />
      )}
    </Section>
  );
}

function SetUp({ topUp, packages, onSetUp }: { topUp: Made; packages: Package[]; onSetUp(): void }) {
  const { t } = useTranslation('billing');
  const [asked, setAsked] = useState<'change' | 'forget'>();
  const change = useChangeTopUp();
  const forget = useForgetTopUp();
  const { on, reason, card, price, currency, below, credits, monthLimit, spent } = topUp;
  const isOpen = packages.length > 0;
  const isFull = on && spent + price > monthLimit;
  const money = (amount: number) => formatPrice(amount, currency);
  const pairs = [
    ['below', t('topUp.pairs.under', { credits: formatNumber(below) })],
    ['buys', t('packageFor', { credits: formatNumber(credits), price: money(price) })],
    ...(card === null ? [] : [['card', formatCard(card)] as const]),
    ['month', t('topUp.pairs.spent', { spent: money(spent), limit: money(monthLimit) })],
  ] as const;
  const turn = (next: boolean) =>
    change.mutate(
      { on: next },
      {
        onSuccess: () => toast.success(t(next ? 'topUp.turnedOn' : 'topUp.turnedOff')),
        onError: (error) => toast.error(errorText(error)),
      },
    );
  const close = () => setAsked(undefined);
  return (
    <>
      <div className={classes['terms']}>
        <State kind={on ? (isFull || !isOpen ? 'warning' : 'live') : reason ? 'failed' : 'off'}>
          {t(on ? 'topUp.on' : 'topUp.off')}
        </State>
        {reason && <p role="alert">{t(`topUp.reason.${reason}`)}</p>}
        <dl className={classes['pairs']}>
          {pairs.map(([pair, value]) => (
            <div key={pair}>
              <dt>{t(`topUp.pairs.${pair}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isFull && <p role="status">{t('topUp.full')}</p>}
        {!isOpen && <p role="status">{t('topUp.closed')}</p>}
        {topUp.sandbox && <small className={classes['about']}>{t('card.sandbox')}</small>}
      </div>
      <Group gap="xs" mb="lg">
        {reason && isOpen && (
          <Button size="xs" variant="default" onClick={onSetUp}>
            {t('topUp.again')}
          </Button>
        )}
        {isOpen && (
          <Button size="xs" variant="default" onClick={() => setAsked('change')}>
            {t('topUp.change')}
          </Button>
        )}
        {(on || (card !== null && isOpen)) && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={() => turn(!on)}>
            {t(on ? 'topUp.turnOff' : 'topUp.turnOn')}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={() => setAsked('forget')}>
          {t('topUp.forget')}
        </Button>
      </Group>
      <Modal opened={asked === 'change'} onClose={close} title={t('topUp.title')} centered>
        {asked === 'change' && <Change topUp={topUp} packages={packages} onClose={close} />}
      </Modal>
      <ConfirmDialog
        opened={asked === 'forget'}
        title={t('topUp.forgetTitle')}
        text={t('topUp.forgetText')}
        confirm={t('topUp.forget')}
        cancel={t('common:cancel')}
        loading={forget.isPending}
        onConfirm={() =>
          forget.mutate(undefined, {
            onSuccess: () => toast.success(t('topUp.forgotten')),
            onError: (error) => toast.error(errorText(error)),
            onSettled: close,
          })
        }
        onClose={close}
      />
    </>
  );
}

function Change({ topUp, packages, onClose }: { topUp: Made; packages: Package[]; onClose(): void }) {
  const { t } = useTranslation('billing');
  const change = useChangeTopUp();
  const [chosen, setChosen] = useState(topUp.package);
  const [terms, setTerms] = useState<Terms>(topUp);
  const offered = packages.filter(({ currency }) => currency === topUp.currency);
  const sold = offered.find(({ uuid }) => uuid === chosen) ?? topUp;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (change.isPending || !areComplete(terms, sold)) return;
        const { below, monthLimit } = terms;
        change.mutate(
          { below, monthLimit, ...(chosen !== topUp.package && { package: chosen }) },
          {
            onSuccess: () => {
              toast.success(t('topUp.saved'));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <PackageChoice label={t('topUp.package')} packages={offered} value={chosen} onChange={setChosen} />
        <TopUpFields sold={sold} value={terms} onChange={setTerms} />
        <FormActions
          submit={t('common:save')}
          cancel={t('common:cancel')}
          isBusy={change.isPending}
          disabled={!areComplete(terms, sold)}
          error={problemOf(change.error)}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
