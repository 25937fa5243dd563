import { useState } from 'react';

const toastKey = 'chatToast';
const soundKey = 'chatSound';

const isOn = (key: string) => localStorage.getItem(key) !== 'false';

/** Whether a message from a visitor shows a toast, and whether it is heard; true until somebody says otherwise. */
export const showsChatToast = () => isOn(toastKey);
export const playsSound = () => isOn(soundKey);

export const useChatToast = () => useSwitch(toastKey);
export const useChatSound = () => useSwitch(soundKey);

function useSwitch(key: string): [boolean, (isOn: boolean) => void] {
  const [value, setValue] = useState(() => isOn(key));
  return [
    value,
    (next) => {
      localStorage.setItem(key, String(next));
      setValue(next);
    },
  ];
}

/** One of a few, as it was chosen last in this browser. */
export function useKept<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (next: Value) => void] {
  const [value, setValue] = useState(() => values.find((each) => each === localStorage.getItem(name)) ?? values[0]);
  return [
    value,
    (next) => {
      localStorage.setItem(name, next);
      setValue(next);
    },
  ];
}

const foldedKey = 'foldedGroups';
const mostFolded = 200;

/** The groups of bots that were folded in this browser, and how one is folded or unfolded. */
export function useFolded(): [string[], (group: string) => void] {
  const [folded, setFolded] = useState(() => (localStorage.getItem(foldedKey) ?? '').split(' ').filter(Boolean));
  return [
    folded,
    (group) => {
      const others = folded.filter((each) => each !== group);
      const next = others.length < folded.length ? others : [...others, group].slice(-mostFolded);
      localStorage.setItem(foldedKey, next.join(' '));
      setFolded(next);
    },
  ];
}
