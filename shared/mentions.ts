interface Mention {
  name: string;
  from: number;
  to: number;
}

/** Right after an @ of either width that belongs to no address. */
const sign = /(?<![\p{Script=Latin}\p{N}._-])[@＠]/gu;
const goesOn = /^[._-]*[\p{Script=Latin}\p{N}_]/u;

/** Where a text names whom, of those names; of several that fit, the longest. What is only part of a longer name is none of them. */
export function mentionsIn(text: string, names: string[]): Mention[] {
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  return [...text.matchAll(sign)].flatMap(({ index }) => {
    const rest = text.slice(index + 1);
    const name = longestFirst.find(
      (each) =>
        rest.slice(0, each.length).toLowerCase() === each.toLowerCase() && !goesOn.test(rest.slice(each.length)),
    );
    return name === undefined ? [] : [{ name, from: index, to: index + 1 + name.length }];
  });
}
