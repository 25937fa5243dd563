/** Without the numbers of passages that are not shown beside it; any other number in brackets stays. */
export const withoutCitations = (text: string, citations: { number: number }[]): string =>
  text.replace(/ ?\[(\d{1,3})\]/g, (mark, number) =>
    citations.some((each) => each.number === Number(number)) ? '' : mark,
  );
