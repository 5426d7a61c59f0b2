import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';

const refusals: Record<string, string> = {
  Declined: 'The server was not given your consent.',
  ConsentOver: 'It did not begin in this browser, or more than ten minutes ago. Connect it again.',
  ConsentUnusable: 'The server did not answer as it should. What it said stands at the source.',
  NotAllowed: 'Only admins connect a source.',
};

/** Say how a sign-in at a server went, when the browser comes back from there. */
export function useComeBack() {
  const [params, setParams] = useSearchParams();
  const connected = params.get('connected');
  const refused = params.get('refused');
  useEffect(() => {
    if (!connected && !refused) return;
    notifications.show(
      connected
        ? { color: 'teal', message: `${connected} is connected.` }
        : {
            color: 'red',
            title: 'It was not connected',
            message: refusals[refused ?? ''] ?? 'Connect it again.',
          },
    );
    setParams({}, { replace: true });
  }, [connected, refused, setParams]);
}
