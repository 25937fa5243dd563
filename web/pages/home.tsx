import { ActionIcon, Box, Button, Progress, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowUp, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Home } from '../../shared/contracts/home.ts';
import { microPerCredit } from '../../shared/contracts/usage.ts';
import { useUpdateBot } from '../features/bots/bots.queries.ts';
import { FirstFiles } from '../features/home/first-files.tsx';
import { useHome, useRecentThreads } from '../features/home/home.queries.ts';
import { NeedsYou } from '../features/home/needs-you.tsx';
import { OpenQuestions } from '../features/home/open-questions.tsx';
import { errorText } from '../lib/error-text.ts';
import { formatAgo, formatDay, formatMoment, formatNumber, formatShare, formatToday } from '../lib/format.ts';
import { useTranslation } from '../lib/i18n.ts';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DayChart } from '../ui/day-chart.tsx';
import { later } from '../ui/later.tsx';
import { Page, rowClass, Section, State } from '../ui/page.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import classes from '../features/home/home.module.css';

const FirstKey = later(async () => (await import('../features/models/first-key.tsx')).FirstKey);

export default function HomePage() {
  const { t } = useTranslation('home');
  const home = useHome();
  const canEdit = useMay('edit');
  useTitle(t('common:page.home'));
  const isNew = home.data && home.data.counts.bots === 0 && home.data.counts.documents === 0;
  return (
    <Page
      title={t('common:page.home')}
      facts={formatToday()}
      actions={
        canEdit &&
        home.data &&
        !isNew && (
          <Button
            renderRoot={(props) => <Link {...props} to="/Bot" search={{ new: 'true' }} />}
            variant="default"
            leftSection={<IconPlus size={16} />}
          >
            {t('newBot')}
          </Button>
        )
      }
    >
      {home.isPending ? (
        <Waiting />
      ) : home.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(home.error)}
          retry={t('common:retry')}
          onRetry={() => void home.refetch()}
        />
      ) : isNew && canEdit ? (
        <FirstFiles />
      ) : (
        <div className={classes['columns']}>
          <div>
            {isNew && <EmptyState drawing="bots" title={t('empty')} text={t('emptyForReaders')} />}
            <Ask recent={home.data.recentBots[0]} />
            <NeedsYou home={home.data} canEdit={canEdit} />
            <Questions home={home.data} />
            {home.data.unanswered && home.data.unanswered.open > 0 && <OpenQuestions {...home.data.unanswered} />}
            <RecentThreads />
          </div>
          <div>
            {home.data.recentBots.length > 0 && <RecentBots home={home.data} />}
            {canEdit && hasOpenSteps(home.data) && <FirstSteps home={home.data} />}
          </div>
        </div>
      )}
    </Page>
  );
}

/** In the shape of what comes; what is known is there at once. */
function Waiting() {
  const { t } = useTranslation('home');
  return (
    <div className={classes['columns']} role="status" aria-label={t('common:loading')}>
      <div>
        <Section title={t('overview')}>
          <div className={classes['figures']}>
            {[36, 52, 40, 44].map((width, at) => (
              <div key={at}>
                <Skeleton height={8} width={width + 24} my={5} animate={false} />
                <Skeleton height={14} width={width} my={6} animate={false} />
              </div>
            ))}
          </div>
        </Section>
        <Section title={t('recentThreads')}>
          <Rows widths={[46, 32, 54, 38]} size={20} />
        </Section>
      </div>
      <div>
        <Section title={t('recentBots')}>
          <Rows widths={[60, 45, 52]} size={28} />
        </Section>
      </div>
    </div>
  );
}

const Rows = ({ widths, size }: { widths: number[]; size: number }) =>
  widths.map((width) => (
    <div key={width} className={rowClass}>
      <Skeleton height={size} width={size} style={{ flex: 'none' }} animate={false} />
      <Skeleton height={8} width={`${width}%`} animate={false} />
    </div>
  ));

/** A question to the bot one talked with last, or that was worked on last, without a detour. */
function Ask({ recent }: { recent: Home['recentBots'][number] | undefined }) {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const threads = useRecentThreads();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [text, setText] = useState('');
  const bot = threads.data?.[0]?.bot ?? recent;
  if (!bot) return null;
  const label = t('ask', { name: bot.name });
  return (
    <form
      className={classes['ask']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!text.trim()) return;
        void navigate({ to: '/Bot/$id/Chat', params: { id: bot.uuid }, state: { ask: text.trim() } });
      }}
    >
      <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
      <input
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={isPhone ? t('askShort') : label}
        aria-label={label}
        maxLength={4000}
        enterKeyHint="send"
        autoComplete="off"
      />
      <ActionIcon type="submit" variant="subtle" color="gray" aria-label={t('askSend')}>
        <IconArrowUp size={18} />
      </ActionIcon>
    </form>
  );
}

/** A share of fewer says nothing. */
const telling = 10;

function Questions({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  const sum = (of: 'count' | 'cited') => home.questionsPerDay.reduce((all, day) => all + day[of], 0);
  const total = sum('count');
  const figures = [
    { key: 'bots', to: '/Bot' },
    { key: 'knowledges', to: '/Knowledge' },
    { key: 'documents', to: '/Document' },
  ] as const;
  return (
    <Section title={t('overview')}>
      <div className={classes['figures']}>
        <div>
          <span>{t('questions.total')}</span>
          <div className={classes['lead']}>
            <b>{formatNumber(total)}</b>
            <Box hiddenFrom="sm" lh={0}>
              <Sparkline values={home.questionsPerDay.map(({ count }) => count)} />
            </Box>
          </div>
        </div>
        {total >= telling && (
          <div>
            <span>{t('questions.cited')}</span>
            <b>{formatShare(sum('cited') / total)}</b>
          </div>
        )}
        <Link to="/Token">
          <span>{t('credits')}</span>
          <b>{formatNumber(Math.floor(home.credits.balance / microPerCredit))}</b>
        </Link>
        {figures.map(({ key, to }) => (
          <Link key={key} to={to}>
            <span>{t(`counts.${key}`)}</span>
            <b>{formatNumber(home.counts[key])}</b>
          </Link>
        ))}
      </div>
      <DayChart
        label={t('questions.chart', { count: total })}
        span={t('questions.span')}
        series={[{ name: t('questions.cited') }, { name: t('questions.uncited'), other: true }]}
        days={home.questionsPerDay.map((day, at, all) => ({
          label: at === all.length - 1 ? t('common:today') : formatDay(day.day),
          values: [day.cited, day.count - day.cited],
        }))}
        empty={t('questions.none')}
        format={formatNumber}
      />
    </Section>
  );
}

/** One's own conversations, of all bots. */
function RecentThreads() {
  const { t } = useTranslation('home');
  const threads = useRecentThreads();
  if (!threads.data || threads.data.length === 0) return null;
  return (
    <Section title={t('recentThreads')}>
      {threads.data.map(({ uuid, title, bot, updatedAt }) => (
        <Link
          key={uuid}
          to="/Bot/$id/Chat"
          params={{ id: bot.uuid }}
          search={{ thread: uuid }}
          className={rowClass}
          style={{ textDecoration: 'none' }}
        >
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
          <span className={`${classes['text']} ${classes['line']}`}>
            <span className={classes['name']}>{title}</span> <span className={classes['hint']}>{bot.name}</span>
          </span>
          <time className={classes['hint']} dateTime={updatedAt} title={formatMoment(updatedAt)}>
            {formatAgo(updatedAt)}
          </time>
        </Link>
      ))}
    </Section>
  );
}

function RecentBots({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  // One day is no line.
  const isAsked = home.recentBots.some(
    ({ questionsPerDay }) => questionsPerDay.filter((count) => count > 0).length > 1,
  );
  return (
    <Section title={t('recentBots')} end={isAsked && <span className={classes['hint']}>{t('lately')}</span>}>
      {home.recentBots.map((bot) => (
        <Link
          key={bot.uuid}
          to="/Bot/$id/Chat"
          params={{ id: bot.uuid }}
          className={rowClass}
          style={{ textDecoration: 'none' }}
        >
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={28} />
          <span className={classes['text']}>
            <span className={classes['name']}>{bot.name}</span>
            <State kind={bot.published ? (bot.changed ? 'warning' : 'live') : 'draft'}>
              {bot.published ? (bot.changed ? t('changed') : t('published')) : t('draft')}
            </State>
          </span>
          {isAsked && bot.questionsPerDay.some((count) => count > 0) && <Sparkline values={bot.questionsPerDay} />}
        </Link>
      ))}
    </Section>
  );
}

const everyStep = ['knowledge', 'document', 'bot', 'question', 'published', 'model'] as const;
/** Where a step is taken: at the bot that was worked on last, if there is one. */
function placeOf(step: Exclude<(typeof everyStep)[number], 'model'>, { recentBots }: Home): string {
  if (step === 'knowledge') return '/Knowledge/Add';
  if (step === 'document') return '/Knowledge';
  const bot = recentBots.find(({ published }) => !published) ?? recentBots[0];
  if (step === 'bot' || !bot) return '/Bot';
  return step === 'question' ? `/Bot/${bot.uuid}/Chat` : `/Bot/${bot.uuid}`;
}

function FirstSteps({ home }: { home: Home }) {
  const { t } = useTranslation('home');
  const { steps } = home;
  const [isAddingKey, setIsAddingKey] = useState(false);
  const mayManage = useMay('manage');
  const order = everyStep.filter((step) => step !== 'model' || mayManage);
  const done = order.filter((step) => steps[step]).length;
  return (
    <Section
      title={t('steps.title')}
      end={<span className={classes['hint']}>{t('steps.count', { done, total: order.length })}</span>}
    >
      <Progress value={(done / order.length) * 100} mt="sm" color="green.5" aria-label={t('steps.title')} />
      <ol style={{ listStyle: 'none', padding: 0, margin: '8px 0 0' }}>
        {order
          .filter((step) => !steps[step])
          .map((step) => (
            <li key={step} className={rowClass}>
              <span className={classes['text']}>
                <span className={classes['step']}>{t(`steps.${step}.title`)}</span>
                <span className={classes['hint']}>{t(`steps.${step}.text`)}</span>
              </span>
              {step === 'model' ? (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`${t('steps.go')}: ${t('steps.model.title')}`}
                  onClick={() => setIsAddingKey(true)}
                >
                  {t('steps.go')}
                </Button>
              ) : (
                <Button
                  component={Link}
                  to={placeOf(step, home)}
                  variant="default"
                  size="xs"
                  aria-label={`${t('steps.go')}: ${t(`steps.${step}.title`)}`}
                >
                  {t('steps.go')}
                </Button>
              )}
            </li>
          ))}
      </ol>
      {isAddingKey && <AddKey bot={home.recentBots[0]} onClose={() => setIsAddingKey(false)} />}
    </Section>
  );
}

/** A model of one's own is a wish: alone it is no reason to show the steps for ever. */
const hasOpenSteps = ({ steps: { model, ...steps }, counts }: Home) =>
  Object.values(steps).includes(false) || (!model && counts.questions < maxFirstQuestions);
const maxFirstQuestions = 50;

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
        onError: (error) => toast.error(errorText(error)),
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
