import { common, createLowlight } from 'lowlight';

const longest = 20_000;
const lowlight = createLowlight(common);

type Colored = ReturnType<typeof lowlight.highlight>['children'];

/** Code in the colors of its language, as a tree; a very long listing stays plain, so that it does not keep the page waiting. */
export const highlight = (language: string, text: string): Colored =>
  text.length <= longest && lowlight.registered(language)
    ? lowlight.highlight(language, text).children
    : [{ type: 'text', value: text }];
