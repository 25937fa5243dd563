import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { CouponDraft } from '../../../shared/rich-message.ts';
import { dayHere } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
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
  const { redeem, button, until } = edit;
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
          <TextInput
            type="date"
            label={t('coupon.until')}
            description={t(until !== null && until < dayHere() ? 'coupon.over' : 'coupon.untilHint')}
            maw={220}
            value={until ?? ''}
            onChange={(event) => set({ until: event.currentTarget.value || null })}
            error={error('until')}
          />
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
      <Section title={t('cards.look')}>
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
      </Section>
    </>
  );
}
