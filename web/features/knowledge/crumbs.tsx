import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import classes from '../../ui/page.module.css';
import own from './knowledge.module.css';

/** The way back up to the list of bases, and to the base; a phone has room for the last step alone. */
export function Crumbs({ base }: { base?: { uuid: string; name: string } }) {
  const { t } = useTranslation('knowledge');
  const list = t('common:page.knowledges');
  return (
    <>
      <Link
        {...(base ? { to: '/Knowledge/$id/documents', params: { id: base.uuid } } : { to: '/Knowledge' })}
        className={own['back']}
        aria-label={t('backTo', { name: base?.name ?? list })}
      >
        <IconArrowLeft size={20} stroke={1.6} aria-hidden />
      </Link>
      <nav className={`${classes['crumb']} ${own['crumbs']}`} aria-label={t('crumbs')}>
        <Link to="/Knowledge">{list}</Link>
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
    </>
  );
}
