import { getRouteApi } from '@tanstack/react-router';
import { ImageGallery } from '../features/images/image-gallery.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/app/Image-Generate');

export default function ImagesPage() {
  const { t } = useTranslation('common');
  const { image } = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t('page.images'));
  return (
    <ImageGallery
      shown={image}
      onShow={(uuid) => void navigate({ search: uuid ? { image: uuid } : {}, replace: image !== undefined })}
    />
  );
}
