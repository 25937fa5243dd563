import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import classes from '../../ui/page.module.css';

/** The way back up to the list of bases, and to the base. */
export function Crumbs({ base }: { base?: { uuid: string; name: string } }) {
  const { t } = useTranslation('knowledge');
  return (
    <nav className={classes['crumb']} aria-label={t('crumbs')}>
      <Link to="/Knowledge">{t('common:page.knowledges')}</Link>
      <span aria-hidden>/</span>
      {base && (
        <>
          <Link to="/Knowledge/$id/documents" params={{ id: base.uuid }}>
            {base.name}
          </Link>
          <span aria-hidden>/</span>
        </>
      )}
    </nav>
  );
}
