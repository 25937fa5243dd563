import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, Section } from '../../ui/page.tsx';
import classes from './websites.module.css';
import { useLiveWebsites, useWebsites } from './websites.queries.ts';
import { WebsiteState } from './website-state.tsx';

/** The websites that a base is kept up to date with; nothing where there is none. */
export function WebsiteList({ base }: { base: string }) {
  const { t } = useTranslation('websites');
  const { data = [] } = useWebsites(base);
  useLiveWebsites();
  if (data.length === 0) return null;
  return (
    <div className={classes['list']}>
      <Section title={t('title')} count={data.length}>
        {data.map((site) => (
          <div key={site.uuid} className={`${rowClass} ${classes['row']}`}>
            <Link to="/Knowledge/$id/websites/$website" params={{ id: base, website: site.uuid }}>
              {site.title || site.url}
            </Link>
            <small>
              <WebsiteState site={site} />
            </small>
          </div>
        ))}
      </Section>
    </div>
  );
}
