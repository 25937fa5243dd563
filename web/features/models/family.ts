import type { Service } from '../../../shared/contracts/services.ts';

/** What a vendor calls its models: the word that most of their names begin with, as in "GPT-6 Luna". */
export function familyOf(services: Service[], provider: string): string | undefined {
  const counts = new Map<string, number>();
  for (const { name, group, provider: of } of services) {
    const [word] = name.split(/[\s-]/);
    if (word && of === provider && group === 'model') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
