import { Fragment, type ReactNode } from 'react';
import classes from '../canvas.module.css';

const marks = /(`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\n]+\*|\[[^[\]\n]+\]\(https?:\/\/[^\s()]+\))/;
const link = /^\[([^\]]+)\]\((.+)\)$/;

/** Words of one line: code, strong, emphasis, and links to the web. Everything else is text. */
function words(line: string): ReactNode[] {
  return line.split(marks).map((part, index) => {
    if (part.startsWith('`') && part.length > 2)
      return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**') && part.length > 4)
      return <strong key={index}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('*') && part.length > 2) return <em key={index}>{part.slice(1, -1)}</em>;
    const [, label, href] = link.exec(part) ?? [];
    return href ? (
      <a key={index} href={href} target="_blank" rel="noreferrer noopener" className="nodrag">
        {label}
      </a>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    );
  });
}

function Line({ line }: { line: string }) {
  const heading = /^#{1,3}\s(.*)$/.exec(line)?.[1]?.trimStart();
  if (heading !== undefined) return <div className={classes.noteHeading}>{words(heading)}</div>;
  const [, mark, item] = /^\s*([-*]|\d+\.)\s(.*)$/.exec(line) ?? [];
  if (item !== undefined)
    return (
      <div className={classes.noteItem}>
        <span aria-hidden>{mark === '-' || mark === '*' ? '•' : mark}</span>
        <span>{words(item.trimStart())}</span>
      </div>
    );
  return <div>{line ? words(line) : '\u00a0'}</div>;
}

/** The text of a note, with the common marks of Markdown drawn. It makes elements of text, never markup. */
export function NoteWords({ text }: { text: string }) {
  return text.split('\n').map((line, index) => <Line key={index} line={line} />);
}
