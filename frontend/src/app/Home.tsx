import { Navigate } from 'react-router';
import { useSession } from '../api/http/queries.ts';
import { homeOf } from '../ui/roles.ts';

/** The bare address: where the day of one's role begins. */
export function Home() {
  const { data: session } = useSession();
  return <Navigate to={homeOf(session?.workspace?.role)} replace />;
}
