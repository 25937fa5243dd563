import classes from './knowledge.module.css';

const kept = 8;

/** A file's name that, where it is too long, loses its middle: what it ends with is still read. */
export function CutName({ name }: { name: string }) {
  const end = Math.max(0, name.length - kept);
  return (
    <span className={classes['cut']} aria-hidden>
      <span>{name.slice(0, end)}</span>
      <span>{name.slice(end)}</span>
    </span>
  );
}
