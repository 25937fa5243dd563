import { useState } from 'react';

const key = 'chatToast';

/** Whether a message from a visitor shows a toast; true until somebody says otherwise. */
export function useChatToast(): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(key) !== 'false');
  return [
    isOn,
    (next) => {
      localStorage.setItem(key, String(next));
      setIsOn(next);
    },
  ];
}
