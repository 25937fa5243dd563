import { Alert, Badge, Button, Group, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { EmptyState } from '../../ui/states.tsx';
import { useSearchTest } from './knowledge.queries.ts';

/** Below this share of the question a bot says that it found nothing. */
const enoughCoverage = 0.4;

/** Asks a base directly: what would be found, in which order, and why. */
export function SearchTest({ base }: { base: string }) {
  const { t } = useTranslation('knowledge');
  const [query, setQuery] = useState('');
  const search = useSearchTest(base);
  const best = search.data?.data[0]?.score ?? 1;
  const round = (value: number) => formatNumber(Math.round(value * 100) / 100);
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim()) search.mutate(query.trim());
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            style={{ flex: '1 1 220px' }}
            label={t('test.label')}
            placeholder={t('test.placeholder')}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            maxLength={2000}
          />
          <Button
            type="submit"
            loading={search.isPending}
            leftSection={<IconSearch size={16} />}
            disabled={!query.trim()}
          >
            {t('test.submit')}
          </Button>
        </Group>
      </form>
      {search.isError && <Alert color="red">{search.error.message}</Alert>}
      {search.data && (
        <>
          <Group gap="xs" aria-live="polite">
            <Badge variant="light" color={search.data.meta.coverage >= enoughCoverage ? 'green' : 'yellow'}>
              {t('test.coverage', { percent: Math.round(search.data.meta.coverage * 100) })}
            </Badge>
            <Text size="sm" c="dimmed">
              {search.data.meta.coverage >= enoughCoverage ? t('test.answers') : t('test.refuses')}{' '}
              {t('test.took', { ms: formatNumber(Math.ceil(search.data.meta.tookMs)) })}
            </Text>
          </Group>
          {search.data.data.length === 0 && (
            <EmptyState drawing="search" title={t('test.nothing')} text={t('test.nothingText')} />
          )}
          {search.data.data.map((hit, at) => (
            <Paper key={hit.embedding.uuid} withBorder p="md" component="article">
              <Group justify="space-between" gap="xs" mb={4}>
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {at + 1}. {hit.document.name}
                  {hit.embedding.page ? ` · ${t('test.page', { page: hit.embedding.page })}` : ''}
                </Text>
                <Text size="sm" fw={600}>
                  {round(hit.score)}
                </Text>
              </Group>
              <Progress
                value={(hit.score / best) * 100}
                size="xs"
                color="green.5"
                mb={6}
                aria-label={t('test.score', { score: round(hit.score) })}
              />
              <Text size="xs" c="dimmed">
                {t('test.scores', {
                  words: round(hit.scores.words),
                  bigrams: round(hit.scores.bigrams),
                  kanji: round(hit.scores.kanji),
                })}
              </Text>
              {hit.embedding.headings.length > 0 && (
                <Text size="xs" c="dimmed">
                  {hit.embedding.headings.join(' › ')}
                </Text>
              )}
              <Text size="sm" mt={6} lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {toExcerpt(hit.embedding.text)}
              </Text>
            </Paper>
          ))}
        </>
      )}
    </Stack>
  );
}
