import '@mantine/core/styles/List.css';
import {
  Alert,
  Blockquote,
  Button,
  Group,
  List,
  Loader,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { ModelKey, ModelProviderInfo, Service } from '../../../shared/contracts/services.ts';
import { formatDollars } from '../../lib/amounts.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber, formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { getServices, useServices } from '../../lib/session.ts';
import { Modal } from '../../ui/overlays.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { answerCosts, dollarsFor, middleOf } from './costs.ts';
import { familyOf } from './family.ts';
import { ModelKeyForm } from './key-form.tsx';
import { useProviders, useSaveModelKey, useTrial } from './models.queries.ts';

interface Props {
  opened: boolean;
  onClose(): void;
  /** The bot that a model is looked for; without one the key is only added. */
  bot?: { name: string; isBusy?: boolean; onUse(service: string): void };
}

/** From no key to a bot that speaks with a model, in three steps: whose, the key, a sentence to see. */
export function FirstKey({ opened, onClose, bot }: Props) {
  const { t } = useTranslation('models');
  return (
    <Modal opened={opened} onClose={onClose} title={t('first.title')} size="lg" centered>
      <Steps onClose={onClose} bot={bot} />
    </Modal>
  );
}

function Steps({ onClose, bot }: Pick<Props, 'onClose'> & { bot: Props['bot'] }) {
  const { t } = useTranslation('models');
  const [provider, setProvider] = useState<ModelProviderInfo>();
  const [key, setKey] = useState<ModelKey>();
  // What other keys open already.
  const [before] = useState(() => new Set(ownServices(getServices()).map(({ uuid }) => uuid)));
  const save = useSaveModelKey();
  if (!provider) return <Providers onChoose={setProvider} />;
  if (key?.state === 'ready')
    return (
      <Trial
        provider={provider.name}
        whom={key.baseUrl ? new URL(key.baseUrl).host : provider.title}
        before={before}
        onClose={onClose}
        bot={bot}
      />
    );
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap">
        <img src={provider.avatar.url} alt="" width={32} height={32} />
        <Text fw={600}>{provider.title}</Text>
      </Group>
      <ModelKeyForm
        provider={provider}
        submit={t('first.check')}
        isBusy={save.isPending}
        error={save.error}
        note={key?.message && !save.isPending && <KeyProblem message={key.message} />}
        back={{
          label: t('common:back'),
          onClick: () => {
            save.reset();
            setKey(undefined);
            setProvider(undefined);
          },
        }}
        // A key that did not work is mended, not added a second time.
        onSubmit={(settings) =>
          save.mutate({ uuid: key?.uuid, provider: provider.name, settings }, { onSuccess: setKey })
        }
      />
    </Stack>
  );
}

const ownServices = (services: Service[]) =>
  services.filter(({ key, group }) => key === 'workspace' && group === 'model');

export function KeyProblem({ message }: { message: string }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" style={{ overflowWrap: 'anywhere' }}>
      {message}
    </Alert>
  );
}

function Providers({ onChoose }: { onChoose(provider: ModelProviderInfo): void }) {
  const { t } = useTranslation('models');
  const providers = useProviders();
  const services = useServices();
  if (providers.isPending) return <Skeleton height={260} />;
  if (!providers.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(providers.error)}
        retry={t('common:retry')}
        onRetry={() => void providers.refetch()}
      />
    );
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('first.choose')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {providers.data.map((provider) => {
          const isVendor = provider.keyUrl !== null;
          const family = familyOf(services, provider.name);
          // What a server of one's own asks is not in any list.
          const costs = isVendor ? answerCosts(services, provider.name) : undefined;
          return (
            <Paper
              key={provider.name}
              component="button"
              type="button"
              withBorder
              p="md"
              onClick={() => onChoose(provider)}
              style={{
                display: 'flex',
                alignItems: 'flex-start',
                cursor: 'pointer',
                font: 'inherit',
                color: 'inherit',
                textAlign: 'start',
              }}
            >
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <img src={provider.avatar.url} alt="" width={28} height={28} />
                <Stack gap={2} miw={0}>
                  <Text fw={600} size="sm">
                    {provider.title}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {isVendor ? family && t('first.about.vendor', { family }) : t('first.about.server')}
                  </Text>
                  {costs && (
                    <Text size="xs" c="dimmed">
                      {t('first.costs', { least: formatDollars(costs.least), most: formatDollars(costs.most) })}
                    </Text>
                  )}
                </Stack>
              </Group>
            </Paper>
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}

interface TrialProps extends Pick<Props, 'onClose'> {
  provider: string;
  /** Who answers, as a person knows it. */
  whom: string;
  before: Set<string>;
  bot: Props['bot'];
}

function Trial({ provider, whom, before, onClose, bot }: TrialProps) {
  const { t } = useTranslation('models');
  const own = ownServices(useServices()).filter((service) => service.provider === provider);
  const fresh = own.filter(({ uuid }) => !before.has(uuid));
  const choices = fresh.length > 0 ? fresh : own;
  const [chosen, setChosen] = useState<string>();
  const service = choices.find(({ uuid }) => uuid === chosen) ?? middleOf(choices);
  const trial = useTrial(service?.uuid);
  if (!service) {
    return (
      <Stack>
        <Text size="sm">{t('first.noModels', { provider: whom })}</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common:done')}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <Select
        label={t('first.model')}
        data={choices.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={service.uuid}
        onChange={(value) => value && setChosen(value)}
        allowDeselect={false}
        searchable={choices.length > 8}
        nothingFoundMessage={t('operated.noMatch')}
      />
      <div aria-live="polite">
        {trial.isFetching ? (
          <Group gap="sm" py="md">
            <Loader size="sm" />
            <Text size="sm">{t('first.asking', { name: service.name })}</Text>
          </Group>
        ) : trial.data ? (
          <Blockquote
            py="sm"
            px="md"
            color="green"
            cite={t('first.took', {
              tokens: formatNumber(trial.data.tokensIn + trial.data.tokensOut),
              time: formatWait(trial.data.latencyMs),
            })}
          >
            {trial.data.text || t('first.silent')}
          </Blockquote>
        ) : (
          trial.error && (
            <Stack gap="xs" align="flex-start">
              <KeyProblem message={errorText(trial.error)} />
              <Button size="compact-sm" variant="default" onClick={() => void trial.refetch()}>
                {t('common:retry')}
              </Button>
            </Stack>
          )
        )}
      </div>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('first.changes')}
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>{bot ? t('first.speaks', { bot: bot.name, name: service.name }) : t('first.forAll')}</List.Item>
          <List.Item>{t('first.sends', { provider: whom })}</List.Item>
          <List.Item>
            {service.price
              ? t('first.billed', { provider: whom, cost: formatDollars(dollarsFor(service.price)) })
              : t('first.billedUnknown', { provider: whom })}
          </List.Item>
        </List>
      </div>
      <Group justify="flex-end" gap="xs">
        {bot ? (
          <>
            <Button variant="default" onClick={onClose}>
              {t('first.later')}
            </Button>
            <Button loading={bot.isBusy ?? false} disabled={!trial.data} onClick={() => bot.onUse(service.uuid)}>
              {t('first.use', { bot: bot.name })}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t('common:done')}</Button>
        )}
      </Group>
    </Stack>
  );
}
