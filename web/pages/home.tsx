import {
  Alert,
  Anchor,
  Badge,
  Button,
  Card,
  Group,
  List,
  Paper,
  Progress,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { IconCheck, IconCircle, IconFileAlert, IconLoader2, IconSparkles } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Home } from '../../shared/contracts/home.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useUpdateBot } from '../features/bots/bots.queries.ts';
import { useHome, useSample } from '../features/home/home.queries.ts';
import { formatDay, formatNumber } from '../lib/format.ts';
import { useMay, useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Avatar } from '../ui/avatar.tsx';
import { BarChart } from '../ui/bar-chart.tsx';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

const FirstKey = later(async () => (await import('../features/models/first-key.tsx')).FirstKey);

export default function HomePage() {
  const { t } = useTranslation('home');
  const user = useUser();
  const home = useHome();
  const canEdit = useMay('edit');
  useTitle(t('common:page.home'));
  return (
    <Page title={t('greeting', { name: user?.username ?? '' })} facts={t('description')}>
      {home.isPending ? (
        <Stack>
          <Skeleton height={180} />
          <SimpleGrid cols={{ base: 2, md: 4 }}>
            {Array.from({ length: 4 }, (_, at) => (
              <Skeleton key={at} height={88} />
            ))}
          </SimpleGrid>
        </Stack>
      ) : home.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={home.error.message}
          retry={t('common:retry')}
          onRetry={() => void home.refetch()}
        />
      ) : (
        <Stack gap="lg">
          <Attention home={home.data} />
          {canEdit && hasOpenSteps(home.data) && <FirstSteps home={home.data} />}
          <Glance home={home.data} />
          {home.data.recentBots.length > 0 && <RecentBots home={home.data} />}
        </Stack>
      )}
    </Page>
  );
}

function Attention({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  return (
    <>
      {home.busyDocuments > 0 && (
        <Alert color="blue" icon={<IconLoader2 />}>
          <Anchor component={Link} to="/Document" inherit c="inherit">
            {t('busy', { count: home.busyDocuments })}
          </Anchor>
        </Alert>
      )}
      {home.failedDocuments.length > 0 && (
        <Alert color="red" icon={<IconFileAlert />} title={t('failedDocuments')}>
          <List size="sm" spacing={4}>
            {home.failedDocuments.map((document) => (
              <List.Item key={document.uuid}>
                <Anchor component={Link} to={`/Knowledge/${document.knowledge}/documents/${document.uuid}`} inherit>
                  {document.name}
                </Anchor>{' '}
                — {document.message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

const everyStep = ['knowledge', 'document', 'bot', 'question', 'published', 'model'] as const;
const where = {
  knowledge: '/Knowledge/Add',
  document: '/Knowledge',
  bot: '/Bot',
  question: '/Bot',
  published: '/Bot',
} as const;

function FirstSteps({ home }: { home: Home }) {
  const { steps } = home;
  const [isAddingKey, setIsAddingKey] = useState(false);
  const mayManage = useMay('manage');
  const order = everyStep.filter((step) => step !== 'model' || mayManage);
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const sample = useSample();
  const done = order.filter((step) => steps[step]).length;
  // A model may be there before anybody came: the operator's.
  const isNew = order.every((step) => step === 'model' || !steps[step]);
  return (
    <Paper withBorder p="lg">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('steps.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('steps.count', { done, total: order.length })}
        </Text>
      </Group>
      <Progress value={(done / order.length) * 100} mb="md" color="green.5" aria-label={t('steps.title')} />
      {isNew && (
        <Paper bg="var(--mantine-primary-color-light)" p="md" mb="md">
          <Group justify="space-between" gap="sm">
            <Text size="sm" maw={520}>
              {t('sample.text')}
            </Text>
            <Button
              leftSection={<IconSparkles size={16} />}
              loading={sample.isPending}
              onClick={() =>
                sample.mutate(undefined, { onSuccess: ({ bot }) => void navigate({ to: `/Bot/${bot}/Chat` }) })
              }
            >
              {t('sample.button')}
            </Button>
          </Group>
          {sample.isError && (
            <Text size="sm" c="red" mt="xs">
              {sample.error.message}
            </Text>
          )}
        </Paper>
      )}
      <Stack gap={8} component="ol" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {order.map((step) => (
          <Group key={step} component="li" gap="sm" wrap="nowrap" align="flex-start">
            <ThemeIcon
              size={22}
              radius="xl"
              variant={steps[step] ? 'filled' : 'light'}
              color={steps[step] ? 'green' : 'gray'}
              mt={1}
              aria-label={steps[step] ? t('common:done') : t('steps.open')}
              role="img"
            >
              {steps[step] ? <IconCheck size={14} /> : <IconCircle size={10} />}
            </ThemeIcon>
            <div>
              {steps[step] ? (
                <Text size="sm" c="dimmed" td="line-through">
                  {t(`steps.${step}.title`)}
                </Text>
              ) : (
                <StepLink step={step} onModel={() => setIsAddingKey(true)} />
              )}
              {!steps[step] && (
                <Text size="sm" c="dimmed">
                  {t(`steps.${step}.text`)}
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
      {isAddingKey && <AddKey bot={home.recentBots[0]} onClose={() => setIsAddingKey(false)} />}
    </Paper>
  );
}

/** A model of one's own is a wish: alone it is no reason to show the steps for ever. */
const hasOpenSteps = ({ steps: { model, ...steps }, counts }: Home) =>
  Object.values(steps).includes(false) || (!model && counts.questions < maxFirstQuestions);
const maxFirstQuestions = 50;

function StepLink({ step, onModel }: { step: (typeof everyStep)[number]; onModel(): void }) {
  const { t } = useTranslation('home');
  if (step === 'model') {
    return (
      <Anchor component="button" type="button" size="sm" fw={600} ta="start" onClick={onModel}>
        {t('steps.model.title')}
      </Anchor>
    );
  }
  return (
    <Anchor component={Link} to={where[step]} size="sm" fw={600}>
      {t(`steps.${step}.title`)}
    </Anchor>
  );
}

/** A key for the bot that was worked on last. */
function AddKey({ bot, onClose }: { bot: Home['recentBots'][number] | undefined; onClose(): void }) {
  const { t } = useTranslation('home');
  const client = useQueryClient();
  const update = useUpdateBot(bot?.uuid ?? '');
  const close = () => {
    onClose();
    void client.invalidateQueries({ queryKey: ['home'] });
  };
  const onUse = (service: string) =>
    update.mutate(
      { service },
      {
        onError: (error) => toast.error(error.message),
        onSuccess: () => {
          toast.success(t('steps.model.used', { name: bot?.name ?? '' }));
          close();
        },
      },
    );
  return (
    <FirstKey
      opened
      onClose={close}
      onFail={close}
      {...(bot && { bot: { name: bot.name, isBusy: update.isPending, onUse } })}
    />
  );
}

function Glance({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  const total = home.questionsPerDay.reduce((sum, day) => sum + day.count, 0);
  const figures = [
    { key: 'bots', to: '/Bot' },
    { key: 'knowledges', to: '/Knowledge' },
    { key: 'documents', to: '/Document' },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Paper withBorder p="lg">
        <Text size="sm" c="dimmed" mb={4}>
          {t('questions.title')}
        </Text>
        <Text fz={28} fw={650} lh={1.2} mb="sm">
          {formatNumber(total)}
        </Text>
        <BarChart
          label={t('questions.chart', { count: total })}
          bars={home.questionsPerDay.map((day) => ({ label: formatDay(day.day), value: day.count }))}
        />
      </Paper>
      <Paper withBorder p="lg">
        <Stack gap="xs" justify="space-between" h="100%">
          {figures.map(({ key, to }) => (
            <Group key={key} justify="space-between">
              <Anchor component={Link} to={to} size="sm" py={4}>
                {t(`counts.${key}`)}
              </Anchor>
              <Text fz="xl" fw={650}>
                {formatNumber(home.counts[key])}
              </Text>
            </Group>
          ))}
        </Stack>
      </Paper>
    </SimpleGrid>
  );
}

function RecentBots({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t('recentBots')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {home.recentBots.map((bot) => (
          <Card key={bot.uuid} withBorder component={Link} to={`/Bot/${bot.uuid}/Chat`} padding="md">
            <Group wrap="nowrap" gap="sm">
              <Avatar id={bot.uuid} name={bot.name} url={bot.avatar?.url} />
              <Stack gap={2} miw={0}>
                <Text fw={600} size="sm" truncate>
                  {bot.name}
                </Text>
                <Badge size="sm" variant="light" color={bot.published ? (bot.changed ? 'yellow' : 'green') : 'gray'}>
                  {bot.published ? (bot.changed ? t('changed') : t('published')) : t('draft')}
                </Badge>
              </Stack>
            </Group>
          </Card>
        ))}
      </SimpleGrid>
    </section>
  );
}
