import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Radio.css';
import { Checkbox, Group, MultiSelect, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { scopes as allScopes, type Scope } from '../../../shared/roles.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { formatMoment } from '../../lib/format.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';

interface Values {
  name: string;
  scopes: Scope[];
  bots: string[] | null;
  /** Left out where it stays as it is. */
  expiresAt?: string | null;
}

interface Props {
  /** The key to change; none makes a new one. */
  initial?: ApiKey | undefined;
  submit: string;
  isBusy: boolean;
  error: object | null;
  onSubmit(values: Values): void;
  onClose(): void;
}

const dayMs = 86_400_000;
const lives = ['30', '90', '365'] as const;

export function KeyForm({ initial, submit, isBusy, error, onSubmit, onClose }: Props) {
  const { t } = useTranslation('keys');
  const bots = useBotNames();
  const [name, setName] = useState(initial?.name ?? '');
  const [scopes, setScopes] = useState<Scope[]>(initial?.scopes ?? ['chat']);
  const [isLimited, setIsLimited] = useState(Boolean(initial?.bots));
  const [chosen, setChosen] = useState(initial?.bots?.map(({ uuid }) => uuid) ?? []);
  const [life, setLife] = useState(initial ? 'keep' : '90');
  const [day, setDay] = useState('');
  const [today] = useState(() => localDay(Date.now()));
  const fields = error instanceof ApiError ? error.fields : {};
  const granted: Scope[] = isLimited ? ['chat'] : scopes;
  const [isTold, setIsTold] = useState(false);
  const missing = { name: !name.trim(), bots: isLimited && chosen.length === 0, day: life === 'date' && !day };
  const lack = (field: keyof typeof missing) => isTold && missing[field] && t('common:required');

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(true);
        if (Object.values(missing).includes(true)) return goToFaultIn(event.currentTarget);
        onSubmit({
          name,
          scopes: granted,
          bots: isLimited ? chosen : null,
          ...(life !== 'keep' && { expiresAt: expiryOf(life, day) }),
        });
      }}
    >
      <Stack>
        <TextInput
          label={t('common:name')}
          description={t('form.nameHint')}
          placeholder={t('form.namePlaceholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          error={lack('name') || fields['name']}
          data-autofocus
          required
        />
        <Radio.Group
          label={t('form.bots')}
          value={isLimited ? 'some' : 'all'}
          onChange={(value) => setIsLimited(value === 'some')}
        >
          <Stack gap={8} mt={6}>
            <Radio value="all" label={t('form.allBots')} />
            <Radio value="some" label={t('form.someBots')} />
          </Stack>
        </Radio.Group>
        {isLimited && (
          <MultiSelect
            aria-label={t('form.whichBots')}
            placeholder={chosen.length === 0 ? t('form.whichBots') : ''}
            data={(bots.data ?? []).map((bot) => ({ value: bot.uuid, label: bot.name }))}
            value={chosen}
            onChange={setChosen}
            maxValues={100}
            searchable
            nothingFoundMessage={t('form.noBots')}
            error={lack('bots') || (fields['bots'] ?? problemOf(bots.error))}
          />
        )}
        <Checkbox.Group
          label={t('form.scopes')}
          description={isLimited ? t('form.limitedHint') : undefined}
          value={granted}
          onChange={(values) => setScopes(allScopes.filter((scope) => values.includes(scope)))}
          error={granted.length === 0 ? t('form.noScope') : fields['scopes']}
        >
          <Stack gap="xs" mt={8}>
            {allScopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={t(`scopes.${scope}.name`)}
                description={t(`scopes.${scope}.text`)}
                disabled={isLimited}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group align="flex-end" gap="sm">
          <Select
            label={t('form.expires')}
            value={life}
            onChange={(value) => setLife(value ?? 'none')}
            data={[
              ...(initial
                ? [
                    {
                      value: 'keep',
                      label: initial.expiresAt
                        ? t('form.keep', { when: formatMoment(initial.expiresAt) })
                        : t('form.keepNone'),
                    },
                  ]
                : []),
              ...lives.map((days) => ({ value: days, label: t('form.days', { count: Number(days) }) })),
              { value: 'date', label: t('form.date') },
              ...(initial && !initial.expiresAt ? [] : [{ value: 'none', label: t('form.never') }]),
            ]}
            allowDeselect={false}
            style={{ flex: '1 1 200px' }}
          />
          {life === 'date' && (
            <TextInput
              type="date"
              label={t('form.lastDay')}
              value={day}
              min={today}
              onChange={(event) => setDay(event.currentTarget.value)}
              error={lack('day')}
              required
              style={{ flex: '1 1 160px' }}
            />
          )}
        </Group>
        {life === 'none' && (
          <Text size="sm" c="dimmed">
            {t('form.neverHint')}
          </Text>
        )}
        {fields['expiresAt'] && (
          <Text size="sm" c="red" role="alert">
            {t('form.expiryPast')}
          </Text>
        )}
        <FormActions
          submit={submit}
          cancel={t('common:cancel')}
          isBusy={isBusy}
          disabled={granted.length === 0}
          error={Object.keys(fields).length === 0 ? problemOf(error) : undefined}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function expiryOf(life: string, day: string): string | null {
  if (life === 'none') return null;
  // To the end of the day where the person is.
  return life === 'date'
    ? new Date(`${day}T23:59:59`).toISOString()
    : new Date(Date.now() + Number(life) * dayMs).toISOString();
}

/** A moment's calendar day here, as a date field writes it. */
function localDay(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
