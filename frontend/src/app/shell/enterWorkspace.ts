import { keepWorkspace } from '../../api/http/client.ts';
import { homeOf } from '../../ui/roles.ts';

/** Begin anew in a workspace: everything that was fetched, and the socket, belonged to the former one. */
export function enterWorkspace(id: string, role: string): void {
  keepWorkspace(id);
  window.location.assign(homeOf(role));
}
