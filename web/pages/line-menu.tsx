import { Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { MenuEditor } from '../features/line-menus/menu-editor.tsx';
import { useChannel, useDesign, useMenus } from '../features/line-menus/line-menus.queries.ts';
import { NotFoundPage, RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';

const route = getRouteApi('/app/Line-Channel/$id/Rich-Menu/$menu');

export default function LineMenuPage() {
  const { t } = useTranslation('line-menus');
  const { id, menu: uuid } = route.useParams();
  const { part, area } = route.useSearch();
  const navigate = route.useNavigate();
  const channel = useChannel(id);
  const menus = useMenus(id);
  const design = useDesign(uuid);
  const menu = menus.data?.find((each) => each.uuid === uuid);
  useTitle(menu?.menu.name);
  const error = channel.error ?? menus.error ?? design.error;
  if (menus.data && !menu) return <NotFoundPage />;
  if (!channel.data || !menus.data || !menu || design.data === undefined)
    return error ? (
      <RootErrorPage error={error} />
    ) : (
      <Page title={t('list.label')} width="full">
        <Skeleton height={400} m={32} w="auto" />
      </Page>
    );
  return (
    <MenuEditor
      key={uuid}
      channel={channel.data}
      menu={menu}
      menus={menus.data}
      design={design.data}
      part={part}
      area={area}
      onPart={(next) => void navigate({ search: next ? { part: next } : {}, replace: true })}
    />
  );
}
