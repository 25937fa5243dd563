import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';

/** At the top; on a phone, whose dialogs and fields are there, at the foot. */
export default function ToastArea() {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // A tap leaves its pointer on what it has closed, which would keep all the others for ever.
  const pause = matchMedia('(hover: none)').matches ? 'notification' : 'all';
  return (
    <Notifications
      position={isPhone ? 'bottom-center' : 'top-center'}
      limit={4}
      containerWidth={420}
      pauseResetOnHover={pause}
    />
  );
}
