/** Server-sent events over `fetch`, which, unlike an `EventSource`, may POST and carry headers. */

export interface ServerEvent {
  id: string | null;
  type: string;
  data: string;
}

/** Cuts text that comes in pieces into events; comments and blocks without data are left out. */
export class EventParser {
  private rest = '';

  /** The events that are complete with this piece. */
  push(piece: string): ServerEvent[] {
    const blocks = (this.rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(readBlock).filter((event) => event !== null);
  }
}

function readBlock(block: string): ServerEvent | null {
  let id: string | null = null;
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at === 0) continue;
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    else if (name === 'event') type = value;
    else if (name === 'data') data.push(value);
  }
  return data.length > 0 ? { id, type, data: data.join('\n') } : null;
}

/** The events of an answer, one by one, until it ends. Raises what the connection raises when it breaks. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(value);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
