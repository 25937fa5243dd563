import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { stayReasons } from '../../../shared/contracts/explore.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import type { CopiedWithDocuments } from './explore.queries.ts';
import classes from './explore.module.css';

interface Props {
  bot: CopiedWithDocuments;
  onClose(): void;
}

/** What has come with a bot that was copied with its documents, and what has not, with the reason. */
export function CopiedDialog({ bot, onClose }: Props) {
  const { t } = useTranslation('explore');
  const { documents, asText, left } = bot.knowledge;
  const lines = [
    documents === 0 ? t('came.none') : t('came.documents', { count: documents, shown: formatNumber(documents) }),
    ...(asText > 0 ? [t('came.asText', { count: asText, shown: formatNumber(asText) })] : []),
    ...stayReasons.flatMap((reason) =>
      left[reason] > 0 ? [t(`came.left.${reason}`, { count: left[reason], shown: formatNumber(left[reason]) })] : [],
    ),
  ];
  return (
    <Modal opened onClose={onClose} title={t('copied', { name: bot.name })} centered>
      <Stack>
        <ul className={classes['rows']}>
          {lines.map((line) => (
            <li key={line} className={classes['row']}>
              <Text size="sm">{line}</Text>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" gap="xs">
          {documents > 0 && (
            <Button variant="default" component={Link} to="/Document" onClick={onClose}>
              {t('came.seeDocuments')}
            </Button>
          )}
          <Button component={Link} to={`/Bot/${bot.uuid}`} onClick={onClose} data-autofocus>
            {t('came.open')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
