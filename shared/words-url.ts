/** A passage that a browser looks for is short, so that a line that is broken elsewhere does not hide it. */
const mostCharacters = 60;

/**
 * The address of a page with the words that are to be shown there (https://wicg.github.io/scroll-to-text-fragment/). The words are the
 * first line that has some, without marks of lists and tables; a browser that does not find them shows the page.
 */
export function urlOfWords(url: string, quote: string): string {
  const line = quote
    .split('\n')
    .map(
      (each) =>
        each
          .replace(/^[\s#>*|\d.•-]+/, '')
          .split('|', 1)[0]
          ?.trim() ?? '',
    )
    .find((each) => /[\p{L}\p{N}]{2}/u.test(each));
  if (!line) return url;
  const begun = line.slice(0, mostCharacters);
  // No word is cut in two, where words are parted.
  const space = line.length > mostCharacters ? begun.lastIndexOf(' ') : -1;
  const words = (space > 0 ? begun.slice(0, space) : begun).trim().toWellFormed();
  return `${url}#:~:text=${encodeURIComponent(words).replaceAll('-', '%2D')}`;
}
