import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { eventsOf } from './runs.ts';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const WORDS =
  'The customer was charged twice for order 1182. The second payment, p-2, came eleven seconds after the first one, so this was a reload of the page. I propose to return 39.00 USD'.split(
    ' ',
  );

/** One text frame of RFC 6455; a server's frames are not masked. */
function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x81, body.length])
      : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

/** The text of a client's frame (short ones only: that is all the client sends). */
function readFrame(data: Buffer): string | null {
  const [first = 0, second = 0] = data;
  if ((first & 15) !== 1) return null;
  const mask = data.subarray(2, 6);
  return Buffer.from(
    data.subarray(6, 6 + (second & 127)).map((byte, index) => byte ^ (mask[index % 4] ?? 0)),
  ).toString();
}

/** A socket that streams words into the run `r0` and tells every run's head. */
export function acceptSocket(request: IncomingMessage, socket: Duplex): void {
  const accept = createHash('sha1')
    .update(String(request.headers['sec-websocket-key']) + MAGIC)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const say = (frame: unknown) => socket.write(textFrame(JSON.stringify(frame)));
  let word = 0;
  let timer: NodeJS.Timeout | undefined;
  socket.on('data', (data: Buffer) => {
    const text = readFrame(data);
    if (text === null) return;
    const frame = JSON.parse(text) as { op: string; run?: string };
    if (frame.op !== 'sub' || frame.run === undefined) return;
    say({ op: 'head', run: frame.run, seq: eventsOf(frame.run).length });
    if (frame.run !== 'r0') return;
    timer ??= setInterval(() => {
      if (word < WORDS.length)
        say({
          op: 'eph',
          run: 'r0',
          key: 'answer#1',
          kind: 'delta',
          text: `${WORDS[word++] ?? ''} `,
        });
    }, 60);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearInterval(timer));
}
