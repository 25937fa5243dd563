import { NavigationProgress } from '@mantine/nprogress';
import { progressColor } from './theme.ts';

export default function ProgressBar({ label }: { label: string }) {
  return <NavigationProgress color={progressColor} size={3} aria-label={label} />;
}
