import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { ModelKey, ModelProviderInfo } from '../../../shared/contracts/services.ts';
import { isPrivateRefused, useAllowAddress } from '../../lib/allow-address.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import type { KeySettings } from './models.queries.ts';

interface Field {
  title?: string;
  secret?: boolean;
  format?: string;
  maxLength?: number;
}

interface Props {
  provider: ModelProviderInfo;
  /** The key to change; none makes a new one. */
  initial?: ModelKey | undefined;
  submit: string;
  isBusy: boolean;
  error: object | null;
  /** What stands above the buttons, such as what the provider said. */
  note?: ReactNode;
  /** The way back, where there is one. */
  back?: { label: string; onClick(): void };
  onSubmit(settings: KeySettings): void;
}

/** A form of what a provider asks for, drawn from its schema. */
export function ModelKeyForm({ provider, initial, submit, isBusy, error, note, back, onSubmit }: Props) {
  const { t, has } = useTranslation('models');
  // A border: the schema is made by our own server of flat objects of texts.
  const properties = Object.entries((provider.settings['properties'] ?? {}) as Record<string, Field>);
  const required = new Set(Array.isArray(provider.settings['required']) ? provider.settings['required'] : []);
  const [values, setValues] = useState<Record<string, string>>({
    name: initial?.name ?? '',
    baseUrl: initial?.baseUrl ?? '',
    apiKey: '',
    models: initial?.named ?? '',
  });
  const [first] = useState(values);
  const [sent, setSent] = useState('');
  const offer = useAllowAddress(isPrivateRefused(error), sent);
  const fields = error instanceof ApiError ? error.fields : {};
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const isElsewhere = initial !== undefined && values['baseUrl'] !== (initial.baseUrl ?? '');
  const isKept = (field: Field) => field.secret && initial !== undefined && !isElsewhere;
  const isNeeded = (name: string, field: Field) =>
    (required.has(name) && !isKept(field)) || Boolean(field.secret && isElsewhere && initial.hint);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const given = properties.flatMap(([name]) => {
          const value = values[name]?.trim() ?? '';
          return value === (first[name] ?? '') ? [] : [[name, value]];
        });
        setSent(values['baseUrl']?.trim() ?? '');
        onSubmit({ name: values['name']?.trim() ?? '', ...Object.fromEntries(given) });
      }}
    >
      <Stack>
        {properties.map(([name, field], at) => {
          const key = `fields.${name}`;
          const hint = `fields.${name}Hint`;
          const common = {
            label: has(key) ? t(key) : (field.title ?? name),
            value: values[name] ?? '',
            onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
            error: fields[name],
            required: isNeeded(name, field),
            maxLength: field.maxLength ?? 500,
            autoComplete: 'off',
            spellCheck: false,
            ...(at === 0 && { 'data-autofocus': true }),
          };
          if (!field.secret)
            return (
              <TextInput
                key={name}
                {...common}
                {...(field.format === 'uri' && {
                  type: 'url',
                  placeholder: 'https://api.example.com/v1',
                })}
                {...(has(hint) && { description: t(hint) })}
              />
            );
          return (
            <PasswordInput
              key={name}
              {...common}
              {...(isKept(field) && {
                placeholder: initial?.hint ? t('fields.keptHint', { hint: initial.hint }) : t('fields.kept'),
              })}
              description={
                isElsewhere
                  ? t('fields.keyAgain')
                  : provider.keyUrl && <KeyLink provider={provider} url={provider.keyUrl} />
              }
              visibilityToggleFocusable
              visibilityToggleButtonProps={{ 'aria-label': t('fields.show') }}
            />
          );
        })}
        <TextInput
          label={t('common:name')}
          description={t('fields.nameHint')}
          value={values['name']}
          onChange={(event) => set('name', event.currentTarget.value)}
          error={fields['name']}
          maxLength={60}
          autoComplete="off"
        />
        {offer && <AddressOffer {...offer} />}
        {note}
        {error && Object.keys(fields).length === 0 && (
          <Text size="sm" c="red" role="alert">
            {errorText(error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          {back && (
            <Button variant="default" onClick={back.onClick}>
              {back.label}
            </Button>
          )}
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function KeyLink({ provider, url }: { provider: ModelProviderInfo; url: string }) {
  const { t } = useTranslation('models');
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always">
      {t('first.getKey', { provider: provider.title })} <IconExternalLink size={12} aria-hidden />
    </Anchor>
  );
}
