import '@mantine/core/styles/NumberInput.css';
import { ActionIcon, Button, NumberInput, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { currencies, type Package } from '../../../shared/contracts/payments.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { useAddPackage, useEveryPackage, useRemovePackage } from './operated.queries.ts';
import classes from './payments.module.css';
import { formatPrice } from './price.ts';

/** What credits are sold in. */
export function Packages() {
  const { t } = useTranslation('operator', 'billing');
  const { data, error, refetch } = useEveryPackage();
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Package>();
  const remove = useRemovePackage();
  const nameOf = ({ credits, price, currency }: Package) =>
    t('billing:packageFor', { credits: formatNumber(credits), price: formatPrice(price, currency) });
  return (
    <>
      <Section
        title={t('payments.packages')}
        end={
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setIsAdding(true)}>
            {t('payments.add')}
          </Button>
        }
      >
        {error && !data ? (
          <ErrorState
            title={t('common:failed.title')}
            text={errorText(error)}
            retry={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <SkeletonRows />
        ) : data.length === 0 ? (
          <Text size="sm" c="dimmed" mt="sm">
            {t('payments.noPackages')}
          </Text>
        ) : (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('billing:package')}</th>
                <th data-number>{t('billing:price')}</th>
                <th className={classes['act']} aria-label={t('common:actions')} />
              </tr>
            </thead>
            <tbody>
              {data.map((each) => (
                <tr key={each.uuid}>
                  <td className={classes['wraps']}>
                    {t('billing:credits', { credits: formatNumber(each.credits) })}
                    {each.sandbox && <small className={classes['below']}>{t('payments.sandboxOnly')}</small>}
                  </td>
                  <td data-number>{formatPrice(each.price, each.currency)}</td>
                  <td data-number>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('payments.remove', { name: nameOf(each) })}
                      onClick={() => setRemoved(each)}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Modal opened={isAdding} onClose={() => setIsAdding(false)} title={t('payments.add')} centered>
        {isAdding && <AddForm onClose={() => setIsAdding(false)} />}
      </Modal>
      <ConfirmDialog
        opened={removed !== undefined}
        title={removed ? t('payments.removeTitle', { name: nameOf(removed) }) : ''}
        text={t('payments.removeText')}
        confirm={t('payments.removeDo')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={() => setRemoved(undefined)}
        onConfirm={() =>
          removed &&
          remove.mutate(removed.uuid, {
            onSuccess: () => setRemoved(undefined),
            onError: (reason) => toast.error(errorText(reason)),
          })
        }
      />
    </>
  );
}

function AddForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('operator', 'billing');
  const add = useAddPackage();
  const [credits, setCredits] = useState<number | string>('');
  const [price, setPrice] = useState<number | string>('');
  const [currency, setCurrency] = useState<(typeof currencies)[number]>('JPY');
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  const isWhole = typeof credits === 'number' && typeof price === 'number';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        const smallest = currency === 'JPY' ? price : Math.round(price * 100);
        add.mutate({ credits, price: smallest, currency }, { onSuccess: onClose });
      }}
    >
      <Stack>
        <NumberInput
          label={t('billing:package')}
          description={t('billing:caps.creditsHint')}
          value={credits}
          onChange={setCredits}
          error={fields['credits']}
          min={1}
          max={10_000_000}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          required
          data-autofocus
        />
        <Select
          label={t('payments.currency')}
          value={currency}
          data={currencies.map((value) => ({ value, label: t(`payments.${value}`) }))}
          onChange={(next) => setCurrency(currencies.find((each) => each === next) ?? 'JPY')}
          allowDeselect={false}
        />
        <NumberInput
          label={t('billing:price')}
          description={t('payments.priceHint')}
          value={price}
          onChange={setPrice}
          error={fields['price']}
          min={currency === 'JPY' ? 50 : 0.5}
          max={currency === 'JPY' ? 99_999_999 : 999_999.99}
          decimalScale={currency === 'JPY' ? 0 : 2}
          allowDecimal={currency !== 'JPY'}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          required
        />
        <FormActions
          submit={t('payments.add')}
          cancel={t('common:cancel')}
          isBusy={add.isPending}
          disabled={!isWhole}
          error={Object.keys(fields).length === 0 ? problemOf(add.error) : undefined}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
