import '@mantine/core/styles/Checkbox.css';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { WebhookEvent } from '../../../shared/contracts/webhooks.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './webhooks.module.css';
import { eventName, eventText, everyEvent } from './events.ts';

export interface WebhookValues {
  url: string;
  events: WebhookEvent[];
}

interface Props {
  values: WebhookValues;
  /** Whether what is missing is said. */
  isTold: boolean;
  errors: Record<string, string>;
  onChange(values: WebhookValues): void;
}

/** Where events go, and which. */
export function WebhookFields({ values, isTold, errors, onChange }: Props) {
  const { t } = useTranslation('webhooks');
  return (
    <Stack>
      <TextInput
        data-autofocus
        label={t('form.url')}
        description={t('form.urlHint')}
        type="url"
        inputMode="url"
        placeholder="https://example.com/kotae"
        value={values.url}
        maxLength={2000}
        error={(isTold && values.url.trim() === '' && t('common:required')) || errors['url']}
        onChange={(event) => onChange({ ...values, url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t('form.events')}
        value={values.events}
        onChange={(events) => onChange({ ...values, events: everyEvent.filter((event) => events.includes(event)) })}
        error={(isTold && values.events.length === 0 && t('form.chooseOne')) || errors['events']}
      >
        <Stack gap="md" mt="xs">
          {everyEvent.map((event) => (
            <Checkbox
              key={event}
              value={event}
              label={
                <>
                  {eventName(t, event)} <code className={classes['code']}>{event}</code>
                </>
              }
              description={eventText(t, event)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

export const isMissing = ({ url, events }: WebhookValues): boolean => url.trim() === '' || events.length === 0;
