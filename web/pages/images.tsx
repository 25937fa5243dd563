import { useNavigate, useSearch } from '@tanstack/react-router';
import { ImageGallery } from '../features/images/image-gallery.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

/** The gallery, and over it the picture that the address names; a link to one has an address of its own. */
export default function ImagesPage() {
  const { t } = useTranslation('common');
  const { image } = useSearch({ strict: false });
  const navigate = useNavigate();
  useTitle(t('page.images'));
  return (
    <ImageGallery
      shown={image}
      onShow={(uuid) =>
        void navigate({ to: '/Image-Generate', search: uuid ? { image: uuid } : {}, replace: image !== undefined })
      }
    />
  );
}
