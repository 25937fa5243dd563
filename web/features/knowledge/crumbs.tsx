import { Anchor, Breadcrumbs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';

/** The way back up to the list of bases, and to the base. */
export function Crumbs({ base }: { base?: { uuid: string; name: string } }) {
  const { t } = useTranslation('knowledge');
  return (
    <Breadcrumbs mt={-5} mb={-1} separatorMargin={6} component="nav" aria-label={t('crumbs')}>
      <Anchor component={Link} to="/Knowledge" size="sm" py={5}>
        {t('common:page.knowledges')}
      </Anchor>
      {base && (
        <Anchor component={Link} to={`/Knowledge/${base.uuid}/documents`} size="sm" py={5} truncate maw={240}>
          {base.name}
        </Anchor>
      )}
    </Breadcrumbs>
  );
}
