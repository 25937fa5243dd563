import { IconHelp, IconMessage2, IconMessageCircle, IconUser } from '@tabler/icons-react';

export const launcherIcons = {
  bubble: IconMessageCircle,
  lines: IconMessage2,
  question: IconHelp,
  person: IconUser,
};
