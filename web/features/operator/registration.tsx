import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/RadioCard.css';
import '@mantine/core/styles/RadioIndicator.css';
import { Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { registrations } from '../../../shared/contracts/accounts.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useChangeSettings, useSettings } from './operator.queries.ts';

type Registration = (typeof registrations)[number];

export function RegistrationPanel() {
  const { t } = useTranslation('operator');
  const settings = useSettings();
  const change = useChangeSettings();
  if (settings.isPending) return <Skeleton height={260} maw={640} />;
  if (!settings.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(settings.error)}
        retry={t('common:retry')}
        onRetry={() => void settings.refetch()}
      />
    );

  const before = settings.data.registration;
  const save = (registration: Registration, onSuccess?: () => void) =>
    change.mutate(
      { registration },
      { ...(onSuccess && { onSuccess }), onError: (error) => toast.error(errorText(error)) },
    );
  const choose = (value: string) => {
    const next = registrations.find((each) => each === value);
    if (next && next !== before)
      save(next, () =>
        toast.undo(t('registration.saved', { name: t(`registration.${next}.name`) }), t('common:undo'), () =>
          save(before),
        ),
      );
  };

  return (
    <Radio.Group
      value={change.isPending ? (change.variables.registration ?? before) : before}
      onChange={choose}
      label={t('registration.label')}
      description={t('registration.hint')}
      maw={640}
    >
      <Stack gap="sm" mt="sm">
        {registrations.map((each) => (
          <Radio.Card
            key={each}
            value={each}
            p="md"
            disabled={change.isPending}
            aria-label={t(`registration.${each}.name`)}
          >
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator mt={2} />
              <div>
                <Text fw={600} size="sm">
                  {t(`registration.${each}.name`)}
                </Text>
                <Text size="sm" c="dimmed">
                  {t(`registration.${each}.text`)}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
