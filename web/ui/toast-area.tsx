import { Notifications } from '@mantine/notifications';

export default function ToastArea() {
  // A tap leaves its pointer on what it has closed, which would keep all the others for ever.
  const pause = matchMedia('(hover: none)').matches ? 'notification' : 'all';
  return <Notifications position="top-center" limit={4} containerWidth={420} pauseResetOnHover={pause} />;
}
