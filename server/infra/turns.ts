/** Works of one name run one after another, in the order in which they come; others beside them. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name);
    const turn = before ? before.then(work, work) : work();
    const isOver = () => {
      if (last.get(name) === turn) last.delete(name);
    };
    last.set(name, turn);
    turn.then(isOver, isOver);
    return turn;
  };
}
