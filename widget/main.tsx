import { createRoot } from 'react-dom/client';
import { useState } from 'react';
function A() {
  const [a, b] = useState(1);
  return <p onClick={() => b(2)}>{a}</p>;
}
createRoot(document.getElementById('root')!).render(<A />);
void import('../shared/locales/en/widget.json');
void import('../shared/locales/ja/widget.json');
