/** A sentence in which what stands between backticks is set as code. */
export function Coded({ text }: { text: string }) {
  return text.split('`').map((part, index, parts) =>
    // an odd part has a backtick on either side; the last one may lack its second
    index % 2 && index < parts.length - 1 ? (
      <code key={index}>{part}</code>
    ) : index % 2 ? (
      `\`${part}`
    ) : (
      part
    ),
  );
}
