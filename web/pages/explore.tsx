import { getRouteApi } from '@tanstack/react-router';
import { categories } from '../../shared/contracts/explore.ts';
import { ExploreList } from '../features/explore/explore-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/app/ExploreBot');
const locales = ['en', 'ja'] as const;

export default function ExplorePage() {
  const { t } = useTranslation('common');
  const { q = '', category, language, copying } = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t('page.explore'));
  return (
    <ExploreList
      q={q}
      category={categories.find((each) => each === category)}
      language={locales.find((each) => each === language)}
      copying={copying === 'knowledge' ? copying : undefined}
      onChange={(next) => {
        const wanted = Object.entries({ q, category, language, copying, ...next }).filter(([, value]) => value);
        // What is typed is no step back, what is chosen is.
        void navigate({ search: Object.fromEntries(wanted), replace: Object.keys(next).join() === 'q' });
      }}
    />
  );
}
