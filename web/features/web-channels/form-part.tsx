import '@mantine/core/styles/Checkbox.css';
import { ActionIcon, Button, Checkbox, Stack, Switch, Textarea, VisuallyHidden } from '@mantine/core';
import { IconGripVertical, IconPlus, IconX } from '@tabler/icons-react';
import { formFields } from '../../../shared/contracts/web-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass } from '../../ui/page.tsx';
import { useOrder } from '../../ui/use-order.ts';
import { LocaleSwitch } from './locale-switch.tsx';
import type { PartProps } from './part.ts';
import classes from './web-channels.module.css';
import { useOurWords, withWords } from './words.ts';

/** What is asked before the first message. */
export function FormPart(part: PartProps) {
  const { t } = useTranslation('web-channels');
  const { settings, set, locale, fieldError } = part;
  const { form, texts } = settings;
  const ours = useOurWords(locale).data ?? {};
  const change = (changes: Partial<typeof form>) => set({ form: { ...form, ...changes } });
  const { list, told, handle } = useOrder(form.fields, {
    onChange: (fields) => change({ fields }),
    moved: (number) => t('form.moved', { number }),
  });
  const left = formFields.filter((name) => !form.fields.some(({ field }) => field === name));
  return (
    <Stack gap={18} pt={14}>
      <Switch
        label={t('form.enabled')}
        description={t('form.enabledHint')}
        checked={form.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      {form.enabled && (
        <>
          <div>
            <div ref={list} role="group" aria-label={t('form.fields')} className={classes['rows']}>
              {form.fields.map(({ field, required }, at) => (
                // By its place: the handle that is held stays where it is.
                <div key={at} className={rowClass} data-dense>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('form.move', { field: t(`form.field.${field}`) })}
                    {...handle(at)}
                  >
                    <IconGripVertical size={16} />
                  </ActionIcon>
                  <span className={classes['grow']}>{t(`form.field.${field}`)}</span>
                  <Checkbox
                    label={t('form.required')}
                    aria-label={t('form.requiredOf', { field: t(`form.field.${field}`) })}
                    checked={required}
                    onChange={(event) =>
                      change({ fields: form.fields.with(at, { field, required: event.currentTarget.checked }) })
                    }
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('form.remove', { field: t(`form.field.${field}`) })}
                    onClick={() => change({ fields: form.fields.toSpliced(at, 1) })}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </div>
              ))}
            </div>
            <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
            <div className={classes['more']}>
              {left.map((field) => (
                <Button
                  key={field}
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPlus size={14} />}
                  aria-label={t('form.add', { field: t(`form.field.${field}`) })}
                  onClick={() => change({ fields: [...form.fields, { field, required: false }] })}
                >
                  {t(`form.field.${field}`)}
                </Button>
              ))}
            </div>
            {form.fields.length === 0 && !form.consent && (
              <p className={classes['hint']} role="status">
                {t('form.nothing')}
              </p>
            )}
          </div>
          <Switch
            label={t('form.consent')}
            description={t('form.consentHint')}
            checked={form.consent}
            onChange={(event) => change({ consent: event.currentTarget.checked })}
          />
          {form.consent && (
            <div>
              <LocaleSwitch {...part} />
              <Textarea
                label={t('texts.inLanguage', { label: t('form.consentText'), language: t(`texts.${locale}`) })}
                placeholder={ours['consent']}
                value={texts[locale].consent}
                onChange={(event) => set({ texts: withWords(texts, locale, { consent: event.currentTarget.value }) })}
                maxLength={1000}
                autosize
                minRows={2}
                error={fieldError(`texts.${locale}.consent`)}
              />
            </div>
          )}
        </>
      )}
    </Stack>
  );
}
