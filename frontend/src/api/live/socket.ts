import { LiveSocket } from './liveSocket.ts';

function pageSocket(): LiveSocket {
  const socket = new LiveSocket({
    connect: () => {
      const { protocol, host } = window.location;
      return new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws/`);
    },
  });
  window.addEventListener('online', () => {
    socket.retryNow();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) socket.woke();
  });
  return socket;
}

/** The one socket of the page; connects at the first `sub`. */
export const realtime = pageSocket();
