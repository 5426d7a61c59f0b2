/**
 * Put a text on the clipboard. Over plain HTTP from another machine browsers give no clipboard: there the
 * text is selected in the page and copied as by hand. Rejects when the browser refuses both.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) throw new Error('The browser does not let this page copy.');
  }
}
