import rehypeHighlight from 'rehype-highlight';

const longest = 20_000;
// Made once: each call sets up every language anew.
const highlight = rehypeHighlight({ detect: false });

/** Colours code by its language; a very long listing stays plain, so that it does not keep the page waiting. */
export const highlighting = () => (tree: Parameters<typeof highlight>[0], file: Parameters<typeof highlight>[1]) => {
  if (String(file.value).length <= longest) highlight(tree, file);
};
