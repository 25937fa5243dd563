import '@mantine/core/styles/NumberInput.css';
import { Input, NumberInput, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { capKinds, capSpans, type CreditCap } from '../../../shared/contracts/billing.ts';
import { problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './billing.module.css';
import { useCaps, usePutCap, useTargets } from './billing.queries.ts';

const mostCredits = 1_000_000_000;

/** A new cap, or how much one that is there allows. */
export function CapDialog({ edited, onClose }: { edited: CreditCap | 'new' | undefined; onClose(): void }) {
  const { t } = useTranslation('billing');
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      title={
        edited === undefined || edited === 'new'
          ? t('caps.add')
          : t(`caps.edit.${edited.span}`, { name: edited.name ?? t('kind.workspace') })
      }
      centered
    >
      {edited && <Form cap={edited === 'new' ? undefined : edited} onClose={onClose} />}
    </Modal>
  );
}

function Form({ cap, onClose }: { cap: CreditCap | undefined; onClose(): void }) {
  const { t } = useTranslation('billing');
  const [kind, setKind] = useState(cap?.kind ?? 'workspace');
  const [target, setTarget] = useState(cap?.target ?? null);
  const [span, setSpan] = useState(cap?.span ?? 'month');
  const [credits, setCredits] = useState<number | undefined>(cap?.credits ?? 1000);
  const [isTold, setIsTold] = useState(false);
  const targets = useTargets(kind);
  const caps = useCaps();
  const put = usePutCap();
  const replaced = cap
    ? undefined
    : caps.data?.find((each) => each.kind === kind && each.target === target && each.span === span);
  const isTargetMissing = kind !== 'workspace' && target === null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(true);
        if (isTargetMissing || credits === undefined) return;
        put.mutate(
          { kind, target, span, credits },
          {
            onSuccess: () => {
              toast.success(t('caps.saved'));
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        {!cap && (
          <>
            <Select
              label={t('caps.for')}
              value={kind}
              data={capKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
              allowDeselect={false}
              onChange={(next) => {
                setKind(capKinds.find((each) => each === next) ?? 'workspace');
                setTarget(null);
              }}
            />
            {kind !== 'workspace' && (
              <Select
                label={t(`kind.${kind}`)}
                placeholder={t('caps.choose')}
                value={target}
                data={(targets.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
                searchable
                nothingFoundMessage={t('caps.none')}
                error={(isTold && isTargetMissing && t('common:required')) || problemOf(targets.error)}
                onChange={setTarget}
              />
            )}
            <Input.Wrapper label={t('caps.span')} labelElement="div">
              <div>
                <Segments
                  label={t('caps.span')}
                  value={span}
                  options={capSpans.map((value) => ({ value, label: t(`span.${value}`) }))}
                  onChange={setSpan}
                />
              </div>
            </Input.Wrapper>
          </>
        )}
        <NumberInput
          label={t('caps.credits')}
          description={t('caps.creditsHint')}
          value={credits ?? ''}
          min={0}
          max={mostCredits}
          thousandSeparator=","
          allowDecimal={false}
          allowNegative={false}
          data-autofocus={cap ? true : undefined}
          error={isTold && credits === undefined && t('common:required')}
          onChange={(next) => setCredits(typeof next === 'number' ? next : undefined)}
        />
        {replaced && (
          <p className={classes['hint']} role="status">
            {t('caps.replaces', { credits: formatNumber(replaced.credits) })}
          </p>
        )}
        <FormActions
          submit={t('common:save')}
          cancel={t('common:cancel')}
          isBusy={put.isPending}
          error={problemOf(put.error)}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
