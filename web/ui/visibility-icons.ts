import { IconLink, IconLock, IconUsers, IconWorld } from '@tabler/icons-react';

/** Who may use a bot, as a picture. */
export const visibilityIcons = { private: IconLock, workspace: IconUsers, link: IconLink, public: IconWorld };
