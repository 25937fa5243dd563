import { getRouteApi } from '@tanstack/react-router';
import { ImageGallery } from '../features/images/image-gallery.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/app/Image-Generate/PreviewModal');

/** One picture over the gallery, as a link leads to it. */
export default function ImagePreviewPage() {
  const { t } = useTranslation('common');
  const { image } = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t('page.images'));
  return (
    <ImageGallery
      shown={image}
      onShow={(uuid) =>
        void (uuid ? navigate({ search: { image: uuid }, replace: true }) : navigate({ to: '/Image-Generate' }))
      }
    />
  );
}
