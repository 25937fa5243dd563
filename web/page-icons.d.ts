declare module 'virtual:page-icons' {
  import type * as tabler from '@tabler/icons-react';
  import type { PageIcon } from '../shared/pages.ts';

  /** Made by `vite.config.ts` of the names in the table of pages. */
  const icons: { [Name in PageIcon]: (typeof tabler)[Name] };
  export default icons;
}
