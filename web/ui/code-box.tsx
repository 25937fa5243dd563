import classes from './code-box.module.css';
import { CopyButton } from './copy-button.tsx';

interface Props {
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
}

/** Lines of a program to take along. */
export function CodeBox({ label, code, copyLabel, copiedLabel }: Props) {
  return (
    <div className={classes['code']}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <CopyButton value={code} label={copyLabel} copiedLabel={copiedLabel} />
    </div>
  );
}
