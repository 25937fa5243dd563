import { useState } from 'react';

const keyOf = (base: string) => `tried-questions:${base}`;
const most = 6;

function read(base: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(base)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, most) : [];
  } catch {
    return []; // what cannot be read was not written here
  }
}

/** The last questions that somebody tried on a base, newest first; they stay in this browser. */
export function useTriedQuestions(base: string) {
  const [questions, setQuestions] = useState(() => read(base));
  const keep = (next: string[]) => {
    setQuestions(next);
    if (next.length > 0) localStorage.setItem(keyOf(base), JSON.stringify(next));
    else localStorage.removeItem(keyOf(base));
  };
  return {
    questions,
    add: (question: string) => keep([question, ...questions.filter((each) => each !== question)].slice(0, most)),
    forget: () => keep([]),
  };
}
