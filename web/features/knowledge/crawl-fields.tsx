import { Select, Stack, Textarea } from '@mantine/core';
import { schedules, type CrawlSettings } from '../../../shared/contracts/websites.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  value: CrawlSettings;
  onChange(value: CrawlSettings): void;
}

const linesOf = (text: string) => text.split('\n').slice(0, 50);

/** How much of a website is read, and how often. */
export function CrawlFields({ value, onChange }: Props) {
  const { t } = useTranslation('websites');
  return (
    <Stack>
      <Select
        label={t('form.schedule')}
        value={value.schedule}
        data={schedules.map((each) => ({ value: each, label: t(`form.${each}`) }))}
        allowDeselect={false}
        onChange={(schedule) => schedule && onChange({ ...value, schedule })}
      />
      {value.reach !== 'page' && (
        <>
          <Select
            label={t('form.maxPages')}
            value={String(value.maxPages)}
            data={[...new Set([10, 50, 200, 1000, 5000, value.maxPages])]
              .toSorted((one, other) => one - other)
              .map((most) => ({ value: String(most), label: formatNumber(most) }))}
            allowDeselect={false}
            onChange={(most) => most && onChange({ ...value, maxPages: Number(most) })}
          />
          {(['include', 'exclude'] as const).map((each) => (
            <Textarea
              key={each}
              label={t(`form.${each}`)}
              description={t('form.patternHint')}
              value={value[each].join('\n')}
              autosize
              minRows={2}
              maxRows={8}
              onChange={({ currentTarget }) => onChange({ ...value, [each]: linesOf(currentTarget.value) })}
            />
          ))}
        </>
      )}
    </Stack>
  );
}

/** Without the lines that are empty. */
export const settingsToSend = ({ include, exclude, ...others }: CrawlSettings): CrawlSettings => ({
  ...others,
  include: include.map((line) => line.trim()).filter(Boolean),
  exclude: exclude.map((line) => line.trim()).filter(Boolean),
});
