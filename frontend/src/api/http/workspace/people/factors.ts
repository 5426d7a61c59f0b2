import { queryOptions } from '@tanstack/react-query';
import { request } from '../../client.ts';

const ROOT = '/_allauth/browser/v1/';
const OWN = 'account/authenticators';

/** A passkey of one's own; times are seconds since the epoch. */
export interface Passkey {
  id: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** What one is asked for beside the password, and what stands in for it. */
export interface Factors {
  code: boolean;
  passkeys: Passkey[];
  /** Recovery codes that were not used yet; null before there are any. */
  recovery: number | null;
}

/** What an app needs to show codes: the secret, the address that opens an app with it, and a picture. */
export interface Offer {
  secret: string;
  totp_url: string;
  totp_svg: string;
}

interface Row extends Partial<Passkey> {
  type: 'totp' | 'recovery_codes' | 'webauthn';
  unused_code_count?: number;
}

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  request<T>(method, path, { root: ROOT, ...(body === undefined ? {} : { body }) });

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: async (): Promise<Factors> => {
    const { data } = await ask<{ data: Row[] }>('GET', OWN);
    return {
      code: data.some((row) => row.type === 'totp'),
      passkeys: data.filter((row): row is Row & Passkey => row.type === 'webauthn'),
      recovery: data.find((row) => row.type === 'recovery_codes')?.unused_code_count ?? null,
    };
  },
});

/** Show the code of an app, or a recovery code, after the password. */
export const showCode = (code: string) => ask('POST', 'auth/2fa/authenticate', { code });

/** What to set an app up with; nothing holds before its code was shown. */
export const offerCode = async () => (await ask<{ meta: Offer }>('GET', `${OWN}/totp`)).meta;
export const switchCodeOn = (code: string) => ask('POST', `${OWN}/totp`, { code });
export const switchCodeOff = () => ask('DELETE', `${OWN}/totp`);

interface Codes {
  data: { unused_codes: string[] };
}
export const recoveryCodes = async () =>
  (await ask<Codes>('GET', `${OWN}/recovery-codes`)).data.unused_codes;
export const renewRecoveryCodes = async () =>
  (await ask<Codes>('POST', `${OWN}/recovery-codes`, {})).data.unused_codes;

/** Whether this browser has passkeys at all: only where a page comes by HTTPS, or from this machine. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

interface RequestOptions {
  data: { request_options: { publicKey: PublicKeyCredentialRequestOptionsJSON } };
}
interface CreationOptions {
  data: { creation_options: { publicKey: PublicKeyCredentialCreationOptionsJSON } };
}

async function show(path: string): Promise<void> {
  const { data } = await ask<RequestOptions>('GET', path);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.request_options.publicKey);
  const found = await navigator.credentials.get({ publicKey });
  if (!(found instanceof PublicKeyCredential)) throw new Error('No passkey was chosen.');
  await ask('POST', path, { credential: found.toJSON() });
}

/** Sign in with a passkey alone. */
export const signInByPasskey = () => show('auth/webauthn/login');
/** Show a passkey after the password. */
export const showPasskey = () => show('auth/webauthn/authenticate');

const NEW = `${OWN}/webauthn`;

/** What the browser needs to make a passkey; refused until the password was shown again. */
export const offerPasskey = () =>
  request<CreationOptions>('GET', NEW, { root: ROOT, query: { passwordless: 'true' } });

/** Let the browser make a passkey, and keep what it is known by. */
export async function addPasskey(name: string): Promise<void> {
  const { data } = await offerPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    data.creation_options.publicKey,
  );
  const made = await navigator.credentials.create({ publicKey });
  if (!(made instanceof PublicKeyCredential)) throw new Error('No passkey was made.');
  await ask('POST', NEW, { name, credential: made.toJSON(), passwordless: true });
}

/** Call a passkey otherwise: one's own word for where it lives. */
export const renamePasskey = (id: number, name: string) => ask('PUT', NEW, { id, name });

export const removePasskey = (id: number) => ask('DELETE', NEW, { authenticators: [id] });

/** What a person reads where the browser or they themselves went back from a passkey. */
export function passkeyMessage(error: unknown): string {
  if (error instanceof DOMException && error.name === 'InvalidStateError')
    return 'This device has a passkey for your account already.';
  if (error instanceof DOMException)
    return 'No passkey was used: it was cancelled, or this browser has none for this place.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}
