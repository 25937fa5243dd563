import { Notifications } from '@mantine/notifications';

export default function ToastArea() {
  // A tap leaves a pointer on what it has closed, which would keep all the others for ever.
  return <Notifications position="top-center" limit={4} containerWidth={420} pauseResetOnHover="notification" />;
}
