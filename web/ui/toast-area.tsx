import { Notifications } from '@mantine/notifications';

export default function ToastArea() {
  return <Notifications position="top-center" limit={4} containerWidth={420} />;
}
