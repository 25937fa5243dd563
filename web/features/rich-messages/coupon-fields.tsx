import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { CouponDraft } from '../../../shared/rich-message.ts';
import { useState } from 'react';
import { dayHere, formatDay } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Fold } from './fold.tsx';
import { LinkField } from './link-field.tsx';
import { LookColor } from './look-color.tsx';
import { PictureField } from './picture-field.tsx';
import classes from './rich-messages.module.css';

interface Props {
  edit: CouponDraft;
  onChange(edit: CouponDraft): void;
  error(path: string): string | undefined;
}

/** What a coupon gives, until when, and how it is used. */
export function CouponFields({ edit, onChange, error }: Props) {
  const { t } = useTranslation('rich-messages');
  const set = (changes: Partial<CouponDraft>) => onChange({ ...edit, ...changes });
  const { redeem, button } = edit;
  return (
    <>
      <Section title={t('coupon.gives')}>
        <Stack className={classes['fields'] ?? ''}>
          <TextInput
            label={t('coupon.discount')}
            description={t('coupon.discountHint')}
            value={edit.discount}
            maxLength={40}
            onChange={(event) => set({ discount: event.currentTarget.value })}
            error={error('discount')}
          />
          <TextInput
            label={t('coupon.title')}
            description={t('coupon.titleHint')}
            value={edit.title}
            maxLength={60}
            onChange={(event) => set({ title: event.currentTarget.value })}
            error={error('title')}
          />
        </Stack>
      </Section>
      <Section title={t('coupon.terms')}>
        <Stack className={classes['fields'] ?? ''}>
          <Until value={edit.until} onChange={(until) => set({ until })} error={error('until')} />
          <Textarea
            label={t('coupon.conditions')}
            value={edit.conditions}
            maxLength={400}
            autosize
            minRows={2}
            onChange={(event) => set({ conditions: event.currentTarget.value })}
            error={error('conditions')}
          />
        </Stack>
      </Section>
      <Section title={t('coupon.use')}>
        <Stack className={classes['fields'] ?? ''}>
          <div>
            <Segments
              label={t('coupon.use')}
              value={redeem.by}
              options={(['screen', 'code'] as const).map((value) => ({ value, label: t(`coupon.by.${value}`) }))}
              onChange={(by) => by !== redeem.by && set({ redeem: by === 'code' ? { by, code: '' } : { by } })}
            />
          </div>
          {redeem.by === 'code' && (
            <TextInput
              label={t('coupon.code')}
              description={t('coupon.codeHint')}
              maw={280}
              value={redeem.code}
              maxLength={40}
              onChange={(event) => set({ redeem: { by: 'code', code: event.currentTarget.value } })}
              error={error('redeem.code')}
            />
          )}
          <Switch
            label={t('coupon.link')}
            checked={button !== null}
            onChange={(event) =>
              set({ button: event.currentTarget.checked ? { label: t('coupon.linkLabel'), uri: '' } : null })
            }
          />
          {button && (
            <>
              <TextInput
                label={t('action.buttonLabel')}
                value={button.label}
                maxLength={40}
                onChange={(event) => set({ button: { ...button, label: event.currentTarget.value } })}
                error={error('button.label')}
              />
              <LinkField
                value={button.uri}
                onChange={(uri) => set({ button: { ...button, uri } })}
                error={error('button.uri')}
              />
            </>
          )}
        </Stack>
      </Section>
      <Fold
        title={t('coupon.look')}
        now={t(edit.picture ? 'coupon.pictured' : 'coupon.plain')}
        isOpen
        isWrong={error('picture') !== undefined || error('color') !== undefined}
      >
        <Stack className={classes['fields'] ?? ''}>
          <PictureField
            label={t('cards.picture')}
            hint={t('coupon.pictureHint')}
            picture={edit.picture}
            onChange={(picture) => set({ picture })}
            onRemove={() => set({ picture: null })}
            error={error('picture')}
          />
          <LookColor
            label={t('coupon.color')}
            value={edit.color}
            onChange={(color) => set({ color })}
            error={error('color')}
          />
          <div>
            <b className={classes['fieldName']}>{t('coupon.language')}</b>
            <Segments
              label={t('coupon.language')}
              value={edit.language}
              options={[
                { value: 'ja', label: '日本語' },
                { value: 'en', label: 'English' },
              ]}
              onChange={(language) => set({ language })}
            />
          </div>
        </Stack>
      </Fold>
    </>
  );
}

const ways = ['never', 'month', 'date'] as const;
type Way = (typeof ways)[number];

/** The last day of the month that today is in. */
function monthEnd(): string {
  const [year, month] = dayHere().split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 0, 0)).toISOString().slice(0, 10);
}

interface UntilProps {
  value: string | null;
  onChange(until: string | null): void;
  error: string | undefined;
}

/** Until when it is valid: mostly one of two, which need no calendar. */
function Until({ value, onChange, error }: UntilProps) {
  const { t } = useTranslation('rich-messages');
  const end = monthEnd();
  const [isDate, setIsDate] = useState(value !== null && value !== end);
  const way: Way = isDate || (value !== null && value !== end) ? 'date' : value === null ? 'never' : 'month';
  const choose = (next: Way) => {
    setIsDate(next === 'date');
    onChange(next === 'never' ? null : next === 'month' ? end : (value ?? end));
  };
  const isOver = value !== null && value < dayHere();
  return (
    <div>
      <b className={classes['fieldName']}>{t('coupon.until')}</b>
      <Segments
        label={t('coupon.until')}
        value={way}
        options={ways.map((each) => ({ value: each, label: t(`coupon.untils.${each}`) }))}
        onChange={choose}
      />
      {way === 'date' && (
        <TextInput
          type="date"
          aria-label={t('coupon.lastDay')}
          mt={8}
          maw={220}
          value={value ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || null)}
          error={error}
        />
      )}
      {(isOver || way === 'month') && (
        <p className={`${classes['hint']} ${classes['after']}`} role="status">
          {isOver ? t('coupon.over') : t('coupon.through', { day: formatDay(end) })}
        </p>
      )}
    </div>
  );
}
